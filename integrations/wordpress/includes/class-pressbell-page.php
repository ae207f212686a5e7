<?php
/**
 * What readers' browsers load.
 *
 * @package Pressbell
 */

defined( 'ABSPATH' ) || exit;

/**
 * Puts the page script into public pages, and answers for the service worker's file.
 *
 * The worker has an address with a query, which needs no rewrite rule and no file: many servers answer paths ending in .js
 * from the disk only. Its scope contains no page, so it lives beside the worker of any other plugin.
 */
final class Pressbell_Page {

	const QUERY = 'pressbell_worker';

	/**
	 * Hooks in.
	 */
	public static function listen() {
		add_action( 'wp_enqueue_scripts', array( __CLASS__, 'add_script' ) );
		add_filter( 'script_loader_tag', array( __CLASS__, 'add_ids' ), 10, 2 );
		add_filter( 'query_vars', array( __CLASS__, 'add_query' ) );
		add_action( 'parse_request', array( __CLASS__, 'answer' ) );
	}

	/**
	 * Enqueues the page script.
	 */
	public static function add_script() {
		$settings = Pressbell_Settings::all();
		if ( '' !== $settings['url'] && '' !== $settings['tenant'] && '' !== $settings['site'] ) {
			// The service sets how long browsers keep it, so it has no version.
			wp_enqueue_script( 'pressbell', $settings['url'] . '/sdk/pressbell.js', array(), null, false ); // phpcs:ignore
		}
	}

	/**
	 * Adds the ids and the worker's address to the script element.
	 *
	 * @param string $tag    The element.
	 * @param string $handle Name of the script.
	 * @return string
	 */
	public static function add_ids( $tag, $handle ) {
		if ( 'pressbell' !== $handle ) {
			return $tag;
		}
		$settings = Pressbell_Settings::all();
		$home     = self::home();
		$added    = sprintf(
			'<script async data-tenant="%s" data-site="%s" data-worker="%s" data-scope="%s" ',
			esc_attr( $settings['tenant'] ),
			esc_attr( $settings['site'] ),
			esc_attr( $home . '?' . self::QUERY . '=1' ),
			esc_attr( $home . 'pressbell/' )
		);
		return str_replace( '<script ', $added, $tag );
	}

	/**
	 * The path of the blog. Not that of home_url(), to which plugins of several languages add the page's: each would be a scope
	 * with a subscription of its own.
	 *
	 * @return string With a slash at its end.
	 */
	private static function home() {
		return trailingslashit( (string) wp_parse_url( get_option( 'home' ), PHP_URL_PATH ) );
	}

	/**
	 * Makes the worker's query known to WordPress.
	 *
	 * @param string[] $names Known ones.
	 * @return string[]
	 */
	public static function add_query( $names ) {
		$names[] = self::QUERY;
		return $names;
	}

	/**
	 * Answers with the worker's file, if it is asked for.
	 *
	 * @param WP $request Request.
	 */
	public static function answer( $request ) {
		if ( empty( $request->query_vars[ self::QUERY ] ) ) {
			return;
		}
		$settings = Pressbell_Settings::all();
		status_header( '' === $settings['site'] ? 404 : 200 );
		header( 'Content-Type: text/javascript; charset=utf-8' );
		header( 'Cache-Control: no-cache' );
		header( 'Service-Worker-Allowed: ' . self::home() );
		header( 'X-Content-Type-Options: nosniff' );
		echo self::worker(); // phpcs:ignore -- JavaScript, whose text is JSON.
		exit;
	}

	/**
	 * The worker's file.
	 *
	 * @return string Empty without settings.
	 */
	public static function worker() {
		$settings = Pressbell_Settings::all();
		$line     = '' === $settings['site'] ? '' : sprintf( 'importScripts(%s);', wp_json_encode( $settings['url'] . '/sdk/sites/' . $settings['site'] . '/worker.js', JSON_UNESCAPED_SLASHES ) );
		/**
		 * Filters the service worker's file, for lines of your own.
		 *
		 * @param string $line JavaScript.
		 */
		return apply_filters( 'pressbell_worker', $line );
	}
}
