<?php
/**
 * Configuration of the WordPress that the tests set up.
 *
 * @package Pressbell
 */

define( 'DB_NAME', 'wordpress' );
define( 'DB_USER', 'root' );
define( 'DB_PASSWORD', '' );
define( 'DB_HOST', 'localhost:' . getenv( 'PRESSBELL_TEST_SOCKET' ) );
define( 'DB_CHARSET', 'utf8mb4' );
define( 'DB_COLLATE', '' );
foreach ( array( 'AUTH_KEY', 'SECURE_AUTH_KEY', 'LOGGED_IN_KEY', 'NONCE_KEY', 'AUTH_SALT', 'SECURE_AUTH_SALT', 'LOGGED_IN_SALT', 'NONCE_SALT' ) as $name ) {
	define( $name, hash( 'sha256', $name ) );
}
define( 'WP_HOME', getenv( 'PRESSBELL_TEST_URL' ) );
define( 'WP_SITEURL', getenv( 'PRESSBELL_TEST_URL' ) );
define( 'WP_DEBUG', true );
define( 'WP_DEBUG_DISPLAY', false );
define( 'WP_DEBUG_LOG', getenv( 'PRESSBELL_TEST_FOLDER' ) . '/debug.log' );
// The tests run wp-cron when they want it, and nothing asks wordpress.org for updates.
define( 'DISABLE_WP_CRON', true );
define( 'WP_HTTP_BLOCK_EXTERNAL', true );
define( 'WP_ACCESSIBLE_HOSTS', '127.0.0.1,localhost,push.example' );
$table_prefix = 'wp_';
if ( ! defined( 'ABSPATH' ) ) {
	define( 'ABSPATH', getenv( 'PRESSBELL_TEST_FOLDER' ) . '/www/' );
}
require_once ABSPATH . 'wp-settings.php';
