<?php
/**
 * Plugin Name: Pressbell
 * Description: Notifies your readers once for each published post, through your own Pressbell service.
 * Version: 0.1.0
 * Requires at least: 6.1
 * Requires PHP: 7.4
 * Author: Pressbell contributors
 * License: GPL-2.0-or-later
 * License URI: https://www.gnu.org/licenses/gpl-2.0.html
 * Text Domain: pressbell
 * Domain Path: /languages
 *
 * @package Pressbell
 */

defined( 'ABSPATH' ) || exit;

define( 'PRESSBELL_VERSION', '0.1.0' );
define( 'PRESSBELL_FILE', __FILE__ );

foreach ( array( 'seal', 'settings', 'rights', 'api', 'nudges', 'campaign', 'permalink', 'attempt', 'publisher', 'page', 'rest', 'box', 'settings-page' ) as $pressbell_part ) {
	require_once __DIR__ . '/includes/class-pressbell-' . $pressbell_part . '.php';
}

add_action(
	'init',
	static function () {
		load_plugin_textdomain( 'pressbell', false, dirname( plugin_basename( PRESSBELL_FILE ) ) . '/languages' );
	}
);

Pressbell_Rights::listen();
Pressbell_Nudges::listen();
Pressbell_Publisher::listen();
Pressbell_Campaign::listen();
Pressbell_Page::listen();
Pressbell_Rest::listen();
Pressbell_Box::listen();
Pressbell_Settings_Page::listen();

// What waits is not forgotten: Pressbell_Publisher::resume() takes it up when the plugin is active again.
register_deactivation_hook(
	__FILE__,
	static function () {
		wp_unschedule_hook( Pressbell_Publisher::EVENT );
	}
);
register_activation_hook( __FILE__, array( 'Pressbell_Rights', 'grant' ) );
register_activation_hook( __FILE__, array( 'Pressbell_Publisher', 'resume' ) );

if ( defined( 'WP_CLI' ) && WP_CLI ) {
	require_once __DIR__ . '/includes/class-pressbell-cli.php';
	WP_CLI::add_command( 'pressbell', 'Pressbell_CLI' );
}
