<?php
/**
 * Takes everything away that the plugin has stored, in each blog.
 *
 * @package Pressbell
 */

defined( 'WP_UNINSTALL_PLUGIN' ) || exit;

/**
 * Takes everything away in the current blog.
 */
function pressbell_uninstall_blog() {
	global $wpdb;
	wp_unschedule_hook( 'pressbell_nudge' );
	foreach ( array( 'pressbell_settings', 'pressbell_key', 'pressbell_schema', 'pressbell_rights' ) as $option ) {
		delete_option( $option );
	}
	foreach ( wp_roles()->role_objects as $role ) {
		$role->remove_cap( 'pressbell_send' );
	}
	// Those who were given it themselves.
	foreach ( get_users( array( 'capability' => 'pressbell_send' ) ) as $user ) {
		$user->remove_cap( 'pressbell_send' );
	}
	delete_transient( 'pressbell_topics' );
	delete_transient( 'pressbell_away' );
	delete_post_meta_by_key( '_pressbell_chosen' );
	delete_post_meta_by_key( '_pressbell_scheduled' );
	$wpdb->query( "DROP TABLE IF EXISTS {$wpdb->prefix}pressbell_nudges" ); // phpcs:ignore -- the name is made of the prefix.
}

if ( is_multisite() ) {
	foreach ( get_sites( array( 'fields' => 'ids', 'number' => 0 ) ) as $pressbell_blog ) {
		switch_to_blog( $pressbell_blog );
		pressbell_uninstall_blog();
		restore_current_blog();
	}
} else {
	pressbell_uninstall_blog();
}
