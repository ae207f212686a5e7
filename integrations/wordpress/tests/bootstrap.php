<?php
/**
 * Loads the WordPress that tests/site has set up, and a double of WP-CLI, which Debian does not have.
 *
 * @package Pressbell
 */

require getenv( 'PRESSBELL_TEST_FOLDER' ) . '/www/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/admin.php';

/**
 * What the commands print.
 */
final class WP_CLI { // phpcs:ignore

	/** Lines so far. @var string[] */
	public static $lines = array();

	/**
	 * Notes a line.
	 *
	 * @param string $line Line.
	 */
	public static function log( $line ) {
		self::$lines[] = $line;
	}

	/**
	 * Notes a success.
	 *
	 * @param string $line Line.
	 */
	public static function success( $line ) {
		self::$lines[] = 'Success: ' . $line;
	}

	/**
	 * Notes an error.
	 *
	 * @param string $line Line.
	 */
	public static function error( $line ) {
		self::$lines[] = 'Error: ' . $line;
	}
}

require_once dirname( __DIR__ ) . '/includes/class-pressbell-cli.php';
require_once __DIR__ . '/class-pressbell-test-case.php';
