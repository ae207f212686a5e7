<?php
/**
 * The public page of a post.
 *
 * @package Pressbell
 */

defined( 'ABSPATH' ) || exit;

/**
 * Looks whether a post is public: whether its permalink answers, and not another page in its place.
 */
final class Pressbell_Permalink {

	/** WordPress redirects to another scheme, to www and to a trailing slash, each at most once. */
	const REDIRECTS = 3;

	/**
	 * Asks for the public page as a reader does who is not logged in. Follows redirects by itself, because a log-in or a
	 * coming-soon page at the end of one answers 200 too.
	 *
	 * @param string $permalink Of the post.
	 * @return null|WP_Error
	 */
	public static function look( $permalink ) {
		$url = $permalink;
		for ( $redirects = 0; $redirects <= self::REDIRECTS; $redirects++ ) {
			$answer = wp_remote_get(
				$url,
				array(
					'timeout'             => 15,
					'redirection'         => 0,
					'limit_response_size' => 65536,
				)
			);
			$status = wp_remote_retrieve_response_code( $answer );
			if ( 200 === $status ) {
				return null;
			}
			$target = (array) wp_remote_retrieve_header( $answer, 'location' );
			if ( '' === (string) end( $target ) || $status < 300 || $status > 399 ) {
				$said = is_wp_error( $answer ) ? $answer->get_error_message() : $status;
				/* translators: %s: an HTTP status, or the reason, in English. */
				return Pressbell_API::passing( 'page', sprintf( __( 'The public page does not answer (%s).', 'pressbell' ), $said ) );
			}
			$url = WP_Http::make_absolute_url( end( $target ), $url );
			if ( self::place( $url ) !== self::place( $permalink ) ) {
				break;
			}
		}
		/* translators: %s: an address. */
		return Pressbell_API::passing( 'page', sprintf( __( 'The public page leads to another one: %s', 'pressbell' ), strtok( $url, '?#' ) ) );
	}

	/**
	 * What of an address stays the same in the redirects that WordPress makes to the permalink of a post: all but scheme, www
	 * and a trailing slash.
	 *
	 * @param string $url Address.
	 * @return array
	 */
	private static function place( $url ) {
		$parts = wp_parse_url( $url );
		$parts = array_merge( array_fill_keys( array( 'scheme', 'host', 'port', 'path', 'query' ), '' ), is_array( $parts ) ? $parts : array() );
		$port  = array(
			'http'  => 80,
			'https' => 443,
		);
		return array(
			preg_replace( '/^www\./', '', strtolower( $parts['host'] ) ),
			isset( $port[ $parts['scheme'] ] ) && $port[ $parts['scheme'] ] === $parts['port'] ? '' : $parts['port'],
			untrailingslashit( rawurldecode( $parts['path'] ) ),
			$parts['query'],
		);
	}
}
