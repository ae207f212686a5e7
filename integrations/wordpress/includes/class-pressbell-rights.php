<?php
/**
 * Who may notify readers.
 *
 * @package Pressbell
 */

defined( 'ABSPATH' ) || exit;

/**
 * Notifying all readers is a capability of its own: who may publish a post need not have it.
 */
final class Pressbell_Rights {

	const SEND = 'pressbell_send';

	/** An option: the roles of this blog were given the capability. */
	const GRANTED = 'pressbell_rights';

	/** A field of a post: who has scheduled it. */
	const SCHEDULED = '_pressbell_scheduled';

	/**
	 * Hooks in.
	 */
	public static function listen() {
		// A blog of a multisite that is new, or whose plugin was activated for the network, has no activation of its own.
		add_action( 'init', array( __CLASS__, 'grant' ) );
	}

	/**
	 * Gives the capability to editors and administrators, once: what a person takes away stays away.
	 */
	public static function grant() {
		if ( get_option( self::GRANTED ) ) {
			return;
		}
		foreach ( array( 'editor', 'administrator' ) as $name ) {
			$role = get_role( $name );
			if ( $role ) {
				$role->add_cap( self::SEND );
			}
		}
		update_option( self::GRANTED, '1', true );
	}

	/**
	 * Whether the current user may notify readers.
	 *
	 * @return bool
	 */
	public static function may_send() {
		return current_user_can( self::SEND );
	}

	/**
	 * Keeps who has scheduled a post: wp-cron, which is nobody, publishes it.
	 *
	 * @param WP_Post $post Post.
	 */
	public static function note_schedule( $post ) {
		$scheduled = array(
			'post' => Pressbell_Campaign::place( $post->ID ),
			'user' => get_current_user_id(),
		);
		update_post_meta( $post->ID, self::SCHEDULED, $scheduled );
	}

	/**
	 * Whether the publication that is under way may notify readers: by its user; of a scheduled post, and without a user, by who
	 * has scheduled it; else by its author.
	 *
	 * @param WP_Post $post       Post.
	 * @param string  $old_status Its status before.
	 * @return bool
	 */
	public static function may_publication_send( $post, $old_status ) {
		$is_due = 'future' === $old_status;
		// WordPress may run wp-cron in the request of any visitor.
		if ( is_user_logged_in() && ! wp_doing_cron() && ( self::may_send() || ! $is_due ) ) {
			return self::may_send();
		}
		$user_id = $is_due ? self::scheduler( $post->ID ) : 0;
		return user_can( $user_id ? $user_id : (int) $post->post_author, self::SEND );
	}

	/**
	 * Who has scheduled a post.
	 *
	 * @param int $post_id Post.
	 * @return int 0 for nobody, as a command on the server.
	 */
	private static function scheduler( $post_id ) {
		$scheduled = get_post_meta( $post_id, self::SCHEDULED, true );
		// A copy of the post has the field too.
		$is_own = is_array( $scheduled ) && isset( $scheduled['post'], $scheduled['user'] ) && Pressbell_Campaign::place( $post_id ) === $scheduled['post'];
		return $is_own ? (int) $scheduled['user'] : 0;
	}
}
