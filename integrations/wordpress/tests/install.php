<?php
/**
 * Installs WordPress by its own installer, with the plugin active.
 *
 * @package Pressbell
 */

define( 'WP_INSTALLING', true );
require getenv( 'PRESSBELL_TEST_FOLDER' ) . '/www/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
require_once ABSPATH . 'wp-admin/includes/plugin.php';
// No mail about the new site.
add_filter( 'pre_wp_mail', '__return_true' );
wp_install( 'Herald', 'editor', 'editor@example.org', true, '', 'correct horse battery' );
switch_theme( 'plain' );
activate_plugin( 'pressbell/pressbell.php' );
if ( getenv( 'PRESSBELL_TEST_OPTIONS' ) ) {
	Pressbell_Settings::save( json_decode( getenv( 'PRESSBELL_TEST_OPTIONS' ), true ) );
}
// The editor's welcome would lie over the page.
update_user_meta( 1, 'wp_persisted_preferences', array( 'core/edit-post' => array( 'welcomeGuide' => false ), '_modified' => gmdate( 'c' ) ) );
