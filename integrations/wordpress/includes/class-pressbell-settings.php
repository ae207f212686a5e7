<?php
/**
 * The settings of a blog.
 *
 * @package Pressbell
 */

defined( 'ABSPATH' ) || exit;

/**
 * Reads and saves the settings. In a multisite each blog has its own.
 */
final class Pressbell_Settings {

	const OPTION = 'pressbell_settings';
	const KEY    = 'pressbell_key';

	const DEFAULTS = array(
		'url'        => '',
		'tenant'     => '',
		'site'       => '',
		// What posts do whose editor has not chosen: auto, always or never.
		'choice'     => 'auto',
		'post_types' => array( 'post' ),
		// Topic ids by the id of the category.
		'topics'     => array(),
		// The blog's address when they were saved.
		'home'       => '',
	);

	/**
	 * All settings but the API key.
	 *
	 * @return array
	 */
	public static function all() {
		$saved = get_option( self::OPTION, array() );
		return array_merge( self::DEFAULTS, is_array( $saved ) ? $saved : array() );
	}

	/**
	 * The API key; it never leaves the server.
	 *
	 * @return string|null Null if there is none, or if it cannot be opened.
	 */
	public static function key() {
		$sealed = get_option( self::KEY, '' );
		return '' === $sealed ? null : Pressbell_Seal::open( $sealed );
	}

	/**
	 * Whether all is there that a call needs.
	 *
	 * @return bool
	 */
	public static function are_complete() {
		$all = self::all();
		return '' !== $all['url'] && '' !== $all['tenant'] && '' !== $all['site'] && null !== self::key();
	}

	/**
	 * The blog's address without its scheme. Not home_url(), to which plugins of several languages add that of the request.
	 *
	 * @return string
	 */
	public static function home() {
		return (string) preg_replace( '#^https?://#', '', untrailingslashit( get_option( 'home' ) ) );
	}

	/**
	 * Whether the blog has another address than when the settings were saved, as a copy for tests has. It would notify the readers
	 * of the first one again, as its posts have other names.
	 *
	 * @return bool
	 */
	public static function are_of_another_blog() {
		return ! in_array( self::all()['home'], array( '', self::home() ), true );
	}

	/**
	 * Saves settings. An empty key keeps the one that is there, and so does an address that is not safe.
	 *
	 * @param array $given The fields of DEFAULTS, and key.
	 * @return bool False if the address was not saved.
	 */
	public static function save( $given ) {
		$saved   = self::all();
		$given   = array_merge( $saved, $given );
		$url     = untrailingslashit( esc_url_raw( trim( $given['url'] ), array( 'https', 'http' ) ) );
		$is_safe = '' === $url || self::is_safe( $url );
		$clean   = array(
			'url'        => $is_safe ? $url : $saved['url'],
			'tenant'     => self::id( $given['tenant'] ),
			'site'       => self::id( $given['site'] ),
			'choice'     => self::choice( $given['choice'] ),
			'post_types' => array_values( array_intersect( array_map( 'sanitize_key', (array) $given['post_types'] ), self::post_types() ) ),
			'topics'     => array(),
			'home'       => self::home(),
		);
		foreach ( (array) $given['topics'] as $category => $topic ) {
			if ( '' !== self::id( $topic ) ) {
				$clean['topics'][ absint( $category ) ] = self::id( $topic );
			}
		}
		update_option( self::OPTION, $clean, true );
		if ( ! empty( $given['key'] ) ) {
			update_option( self::KEY, Pressbell_Seal::close( trim( $given['key'] ) ), false );
		}
		delete_transient( 'pressbell_topics' );
		delete_transient( Pressbell_API::AWAY );
		return $is_safe;
	}

	/**
	 * Whether the API key may be sent to an address, and readers may load scripts from it: it is https, or on this machine.
	 *
	 * @param string $url Address.
	 * @return bool
	 */
	public static function is_safe( $url ) {
		$host = strtolower( (string) wp_parse_url( $url, PHP_URL_HOST ) );
		return 'https' === wp_parse_url( $url, PHP_URL_SCHEME ) || 1 === preg_match( '/^(([a-z0-9-]+\.)*localhost|127(\.\d{1,3}){3}|\[::1\])$/', $host );
	}

	/**
	 * The types of posts that have a page of their own.
	 *
	 * @return string[]
	 */
	public static function post_types() {
		return array_values( array_diff( get_post_types( array( 'public' => true ) ), array( 'attachment' ) ) );
	}

	/**
	 * One of the three choices of an editor.
	 *
	 * @param mixed $value Anything.
	 * @return string auto if it is none of them.
	 */
	public static function choice( $value ) {
		return in_array( $value, array( 'auto', 'always', 'never' ), true ) ? $value : 'auto';
	}

	/**
	 * A UUID.
	 *
	 * @param mixed $value Anything.
	 * @return string Empty if it is none.
	 */
	private static function id( $value ) {
		$value = strtolower( trim( (string) $value ) );
		return wp_is_uuid( $value ) ? $value : '';
	}
}
