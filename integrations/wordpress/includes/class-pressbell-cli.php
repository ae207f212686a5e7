<?php
/**
 * The commands of WP-CLI.
 *
 * @package Pressbell
 */

defined( 'ABSPATH' ) || exit;

/**
 * Looks at Pressbell, checks a post, or notifies readers of one.
 */
final class Pressbell_CLI {

	/**
	 * Says whether the service is reached, and how many posts are in which state.
	 */
	public function status() {
		$site = Pressbell_API::site();
		if ( is_wp_error( $site ) ) {
			WP_CLI::error( $site->get_error_message() );
			return;
		}
		WP_CLI::log( sprintf( 'site: %s (%s)', $site['name'], $site['url'] ) );
		foreach ( Pressbell_Nudges::counts() as $state => $posts ) {
			WP_CLI::log( sprintf( '%s: %d', $state, $posts ) );
		}
	}

	/**
	 * Says what Pressbell thinks of a post.
	 *
	 * ## OPTIONS
	 *
	 * <post>
	 * : Id of the post.
	 *
	 * @param string[] $args Arguments.
	 */
	public function preview( $args ) {
		$post    = $this->post( $args );
		$preview = $post ? Pressbell_Rest::preview( $post ) : null;
		if ( is_wp_error( $preview ) ) {
			WP_CLI::error( $preview->get_error_message() );
			return;
		}
		if ( $preview ) {
			WP_CLI::log( 'decision: ' . ( $preview['decision'] ? $preview['decision'] : 'none' ) );
			array_map( array( 'WP_CLI', 'log' ), $preview['reasons'] );
			WP_CLI::log( 'readers: ' . $preview['reachable'] );
		}
	}

	/**
	 * Notifies readers of a published post now, unless they were notified before. Also tries again what has failed.
	 *
	 * ## OPTIONS
	 *
	 * <post>
	 * : Id of the post.
	 *
	 * @param string[] $args Arguments.
	 */
	public function nudge( $args ) {
		$post = $this->post( $args );
		if ( ! $post ) {
			return;
		}
		// Without --user it is who runs commands on the server.
		if ( is_user_logged_in() && ! Pressbell_Rights::may_send() ) {
			WP_CLI::error( 'This user may not notify readers: it needs the capability pressbell_send.' );
			return;
		}
		if ( ! Pressbell_Publisher::is_public( $post ) ) {
			WP_CLI::error( 'publish' === $post->post_status ? 'The post has a password.' : 'The post is not published.' );
			return;
		}
		$is_tried = Pressbell_Publisher::nudge_now( $post );
		$state    = Pressbell_Rest::state( $post->ID );
		if ( ! $is_tried || 'sent' !== $state['state'] ) {
			WP_CLI::error( $state['said'] );
			return;
		}
		WP_CLI::success( $state['said'] );
	}

	/**
	 * The post of a command.
	 *
	 * @param string[] $args Arguments.
	 * @return WP_Post|null
	 */
	private function post( $args ) {
		$post = get_post( absint( $args[0] ) );
		if ( ! $post ) {
			WP_CLI::error( 'There is no such post.' );
		}
		return $post;
	}
}
