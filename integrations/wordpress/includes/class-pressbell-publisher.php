<?php
/**
 * From a publication to a notification.
 *
 * @package Pressbell
 */

defined( 'ABSPATH' ) || exit;

/**
 * Claims a post at its first publication, and notifies from wp-cron: the page is public then, and the editor's choices are saved.
 */
final class Pressbell_Publisher {

	const EVENT = 'pressbell_nudge';

	/** The editors save the box after the publication, the block editor in a request of its own. That moves the notification forward. */
	const BOX_SECONDS = 30;

	/** A try that has not ended by then has died. */
	const LEASE_SECONDS = 180;

	/** After the publication. With doubling pauses from 30 s to 15 min the last try is after a bit more than an hour. */
	const LATE_SECONDS = 75 * MINUTE_IN_SECONDS;

	/**
	 * Hooks in.
	 */
	public static function listen() {
		add_action( 'transition_post_status', array( __CLASS__, 'on_transition' ), 10, 3 );
		add_action( self::EVENT, array( __CLASS__, 'run' ) );
		// WordPress keeps all events in one option, which two processes overwrite for each other: an event can get lost.
		if ( ( wp_doing_cron() || ( defined( 'WP_CLI' ) && WP_CLI ) ) && ! wp_installing() ) {
			add_action( 'init', array( __CLASS__, 'resume' ) );
		}
	}

	/**
	 * Claims a post that is published for the first time, or again after it was withdrawn before its notification.
	 *
	 * @param string  $new_status New status.
	 * @param string  $old_status Old status.
	 * @param WP_Post $post       Post.
	 */
	public static function on_transition( $new_status, $old_status, $post ) {
		if ( $new_status === $old_status || ! in_array( $post->post_type, Pressbell_Settings::all()['post_types'], true ) ) {
			return;
		}
		if ( 'future' === $new_status ) {
			Pressbell_Rights::note_schedule( $post );
		}
		if ( 'publish' === $old_status ) {
			// Without a claim, it was published before this plugin was here: publishing it again is no news.
			Pressbell_Nudges::leave( $post->ID, __( 'It was published before.', 'pressbell' ) );
		}
		if ( 'publish' !== $new_status ) {
			return;
		}
		$reason = self::reason_against( $post, $old_status );
		if ( '' !== $reason ) {
			Pressbell_Nudges::leave( $post->ID, $reason );
			return;
		}
		// phpcs:ignore -- whether the box comes, not what is in it.
		$is_box_saved_later = ( defined( 'REST_REQUEST' ) && REST_REQUEST ) || isset( $_POST[ Pressbell_Box::NONCE ] );
		$due                = time() + ( $is_box_saved_later ? self::BOX_SECONDS : 0 );
		if ( Pressbell_Nudges::claim( $post->ID, 'waiting', '', $due ) || Pressbell_Nudges::restart( $post->ID, $due, 'withdrawn' ) ) {
			self::plan( $post->ID, $due );
			return;
		}
		// It was withdrawn and is back before the next try, which then counts from now.
		Pressbell_Nudges::renew( $post->ID );
	}

	/**
	 * The box is saved: a claim that waits for it is due.
	 *
	 * @param int $post_id Post.
	 */
	public static function on_box_saved( $post_id ) {
		$nudge = Pressbell_Nudges::read( $post_id );
		if ( $nudge && 'waiting' === $nudge->state && 0 === (int) $nudge->attempts ) {
			Pressbell_Nudges::change( $post_id, array( 'due' => time() ) );
			self::plan( $post_id, time() );
		}
	}

	/**
	 * One try. Does nothing unless the post waits and is due.
	 *
	 * @param int $post_id Post.
	 */
	public static function run( $post_id ) {
		$post_id = (int) $post_id;
		if ( ! Pressbell_Nudges::take( $post_id, self::LEASE_SECONDS ) ) {
			return;
		}
		// If this process dies, the next one goes on.
		self::plan( $post_id, time() + self::LEASE_SECONDS );
		$nudge = Pressbell_Nudges::read( $post_id );
		$post  = get_post( $post_id );
		if ( ! self::is_public( $post ) ) {
			$outcome = Pressbell_Attempt::withdraw( $nudge );
			if ( array( 'withdrawn', '' ) === $outcome && $post && 'publish' === $post->post_status ) {
				$outcome = array( 'left', __( 'It has a password.', 'pressbell' ) );
			}
		} elseif ( 'never' === Pressbell_Campaign::choice( $post_id ) ) {
			$outcome = array( 'left', __( 'No notification, as chosen.', 'pressbell' ) );
		} else {
			$is_late = time() > $nudge->since + self::LATE_SECONDS;
			$outcome = $is_late ? Pressbell_Attempt::end_late( $nudge ) : Pressbell_Attempt::nudge( $post, $nudge );
		}
		if ( is_wp_error( $outcome ) ) {
			self::on_error( $nudge, $outcome, self::is_public( $post ) ? 'failed' : 'withdrawn' );
			return;
		}
		list( $state, $message ) = $outcome;
		self::finish( $post_id, $state, $message );
	}

	/**
	 * Whether a notification may lead to a post. The page of one with a password answers 200 too, with a form.
	 *
	 * @param WP_Post|null $post Post.
	 * @return bool
	 */
	public static function is_public( $post ) {
		return $post && 'publish' === $post->post_status && '' === $post->post_password;
	}

	/**
	 * Starts anew for a post whose tries have ended without a notification, now.
	 *
	 * @param WP_Post $post Post.
	 * @return bool False if it was notified, is decided upon, or is being tried.
	 */
	public static function nudge_now( $post ) {
		if ( ! Pressbell_Nudges::restart( $post->ID, time(), 'failed', 'withdrawn' ) && ! Pressbell_Nudges::claim( $post->ID, 'waiting', '', time() ) ) {
			return false;
		}
		self::run( $post->ID );
		return true;
	}

	/**
	 * Plans the events of all posts that wait and have none, or a later one: after the plugin was switched off, or if an event
	 * was lost.
	 */
	public static function resume() {
		foreach ( Pressbell_Nudges::waiting() as $nudge ) {
			$due  = max( time(), (int) $nudge->due );
			$next = wp_next_scheduled( self::EVENT, array( (int) $nudge->post_id ) );
			if ( false === $next || $next > $due ) {
				self::plan( (int) $nudge->post_id, $due );
			}
		}
	}

	/**
	 * Plans the next try, or gives up: late news are no news.
	 *
	 * @param object   $nudge Row.
	 * @param WP_Error $error What has failed.
	 * @param string   $last  The state if this was the last try.
	 */
	private static function on_error( $nudge, $error, $last ) {
		$post_id = (int) $nudge->post_id;
		$data    = $error->get_error_data();
		$pause   = min( 15 * MINUTE_IN_SECONDS, 30 * 2 ** ( (int) $nudge->attempts - 1 ) );
		$due     = time() + max( (int) $data['after'], $pause );
		if ( empty( $data['retry'] ) || $due > $nudge->since + self::LATE_SECONDS ) {
			self::finish( $post_id, $last, $error->get_error_message() );
			return;
		}
		Pressbell_Nudges::change(
			$post_id,
			array(
				'due'     => $due,
				'message' => $error->get_error_message(),
			)
		);
		self::plan( $post_id, $due );
	}

	/**
	 * Ends the tries of a post.
	 *
	 * @param int    $post_id Post.
	 * @param string $state   Last state.
	 * @param string $message For the box.
	 */
	private static function finish( $post_id, $state, $message ) {
		Pressbell_Nudges::change(
			$post_id,
			array(
				'state'   => $state,
				'message' => $message,
			)
		);
		wp_clear_scheduled_hook( self::EVENT, array( $post_id ) );
		if ( 'withdrawn' === $state ) {
			self::take_up( $post_id );
		}
	}

	/**
	 * Claims a post that was published again while its campaign was being cancelled: that publication found it waiting.
	 *
	 * @param int $post_id Post.
	 */
	private static function take_up( $post_id ) {
		clean_post_cache( $post_id );
		if ( self::is_public( get_post( $post_id ) ) && Pressbell_Nudges::restart( $post_id, time(), 'withdrawn' ) ) {
			self::plan( $post_id, time() );
		}
	}

	/**
	 * Plans the only event of a post.
	 *
	 * @param int $post_id Post.
	 * @param int $due     Unix time.
	 */
	private static function plan( $post_id, $due ) {
		wp_clear_scheduled_hook( self::EVENT, array( $post_id ) );
		wp_schedule_single_event( $due, self::EVENT, array( $post_id ) );
	}

	/**
	 * Why a publication is no news, or not of somebody who may notify readers.
	 *
	 * @param WP_Post $post       Post.
	 * @param string  $old_status Its status before.
	 * @return string Empty if it is news.
	 */
	private static function reason_against( $post, $old_status ) {
		if ( defined( 'WP_IMPORTING' ) && WP_IMPORTING ) {
			return __( 'It was imported.', 'pressbell' );
		}
		// phpcs:ignore -- the kind of the request, not what is in it.
		if ( isset( $_REQUEST['bulk_edit'] ) ) {
			return __( 'It was published in a bulk edit.', 'pressbell' );
		}
		if ( '' !== $post->post_password ) {
			return __( 'It has a password.', 'pressbell' );
		}
		// A draft has no date until it is published; wp_publish_post() does not give it one either.
		if ( '0000-00-00 00:00:00' !== $post->post_date_gmt && strtotime( $post->post_date_gmt . ' UTC' ) < time() - DAY_IN_SECONDS ) {
			return __( 'Its date is more than a day ago.', 'pressbell' );
		}
		if ( ! Pressbell_Rights::may_publication_send( $post, $old_status ) ) {
			return __( 'Who published or scheduled it may not notify readers.', 'pressbell' );
		}
		return '';
	}
}
