<?php
/**
 * From a publication to a nudge.
 *
 * @package Pressbell
 */

defined( 'ABSPATH' ) || exit;

/**
 * Claims a post at its first publication, and nudges from wp-cron: the page is public then, and the editor's choices are saved.
 */
final class Pressbell_Publisher {

	const EVENT = 'pressbell_nudge';

	/** The editors save the box after the publication, the block editor in a request of its own. That moves the nudge forward. */
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
	}

	/**
	 * Claims a post that is published for the first time, or again after it was withdrawn before its nudge.
	 *
	 * @param string  $new_status New status.
	 * @param string  $old_status Old status.
	 * @param WP_Post $post       Post.
	 */
	public static function on_transition( $new_status, $old_status, $post ) {
		if ( $new_status === $old_status || ! in_array( $post->post_type, Pressbell_Settings::all()['post_types'], true ) ) {
			return;
		}
		if ( 'publish' === $old_status ) {
			// Without a claim, it was published before this plugin was here: publishing it again is no news.
			Pressbell_Nudges::leave( $post->ID, __( 'It was published before.', 'pressbell' ) );
		}
		if ( 'publish' !== $new_status ) {
			return;
		}
		$reason = self::reason_against( $post );
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
		if ( ! $post || 'publish' !== $post->post_status ) {
			$error = self::withdraw( $nudge );
		} elseif ( 'never' === Pressbell_Campaign::choice( $post_id ) ) {
			$error = self::finish( $post_id, 'left', __( 'No nudge, as chosen.', 'pressbell' ) );
		} else {
			$error = time() > $nudge->since + self::LATE_SECONDS ? self::end_late( $nudge ) : self::attempt( $post, $nudge );
		}
		if ( is_wp_error( $error ) ) {
			self::on_error( $nudge, $error, $post && 'publish' === $post->post_status ? 'failed' : 'withdrawn' );
		}
	}

	/**
	 * Starts anew for a post whose tries have ended without a nudge, now.
	 *
	 * @param WP_Post $post Post.
	 * @return bool False if it was nudged, is decided upon, or is being tried.
	 */
	public static function nudge_now( $post ) {
		if ( ! Pressbell_Nudges::restart( $post->ID, time(), 'failed', 'withdrawn' ) && ! Pressbell_Nudges::claim( $post->ID, 'waiting', '', time() ) ) {
			return false;
		}
		self::run( $post->ID );
		return true;
	}

	/**
	 * Plans the events of all posts that wait, after the plugin was switched off.
	 */
	public static function resume() {
		foreach ( Pressbell_Nudges::waiting() as $nudge ) {
			self::plan( (int) $nudge->post_id, max( time(), (int) $nudge->due ) );
		}
	}

	/**
	 * Looks at the page, creates the campaign and sends it.
	 *
	 * @param WP_Post $post  Post.
	 * @param object  $nudge Row.
	 * @return null|WP_Error
	 */
	private static function attempt( $post, $nudge ) {
		$absent = Pressbell_Permalink::look( get_permalink( $post ) );
		if ( is_wp_error( $absent ) ) {
			return $absent;
		}
		$campaign = Pressbell_Campaign::find( $post->ID );
		if ( is_array( $campaign ) && $campaign['campaignId'] === $nudge->withdrawn_id && empty( $campaign['runId'] ) ) {
			// The post may have changed since. Its cancellation may have failed.
			$cancelled = Pressbell_Campaign::is_open( $campaign ) ? Pressbell_Campaign::cancel( $campaign['campaignId'] ) : null;
			$campaign  = is_wp_error( $cancelled ) ? $cancelled : null;
		}
		if ( null === $campaign ) {
			$absent   = self::look( $post );
			$campaign = is_wp_error( $absent ) ? $absent : Pressbell_Campaign::create( $post, $nudge->withdrawn_id );
		}
		if ( is_wp_error( $campaign ) ) {
			return $campaign;
		}
		Pressbell_Nudges::change( $post->ID, array( 'campaign_id' => $campaign['campaignId'] ) );
		return self::send( $post->ID, $campaign );
	}

	/**
	 * Cancels the campaign of a post that was withdrawn before it was sent, and lets the next publication claim the post.
	 *
	 * @param object $nudge Row.
	 * @return null|WP_Error
	 */
	private static function withdraw( $nudge ) {
		$post_id  = (int) $nudge->post_id;
		$campaign = self::earlier( $nudge );
		if ( is_array( $campaign ) && Pressbell_Campaign::is_open( $campaign ) ) {
			// Kept before it is cancelled: if the answer is lost, the next try must tell this from a person's cancellation.
			Pressbell_Nudges::change( $post_id, array( 'withdrawn_id' => $campaign['campaignId'] ) );
			$campaign = Pressbell_Campaign::cancel( $campaign['campaignId'] );
		} elseif ( is_array( $campaign ) && ( ! empty( $campaign['runId'] ) || $campaign['campaignId'] !== $nudge->withdrawn_id ) ) {
			return self::send( $post_id, $campaign );
		}
		return is_wp_error( $campaign ) ? $campaign : self::finish( $post_id, 'withdrawn', '' );
	}

	/**
	 * Gives up, unless a try that died has sent the campaign.
	 *
	 * @param object $nudge Row.
	 * @return null
	 */
	private static function end_late( $nudge ) {
		$campaign = self::earlier( $nudge );
		if ( is_array( $campaign ) && ! empty( $campaign['runId'] ) ) {
			return self::send( (int) $nudge->post_id, $campaign );
		}
		$said = __( 'It could not be sent within about an hour of its publication.', 'pressbell' );
		return self::finish( (int) $nudge->post_id, 'failed', trim( $nudge->message . ' ' . $said ) );
	}

	/**
	 * The campaign of an earlier try, also of one that died before it could note it.
	 *
	 * @param object $nudge Row.
	 * @return array|null|WP_Error
	 */
	private static function earlier( $nudge ) {
		$is_first = (int) $nudge->attempts <= 1 && '' === $nudge->campaign_id . $nudge->withdrawn_id;
		return $is_first ? null : Pressbell_Campaign::find( (int) $nudge->post_id );
	}

	/**
	 * Asks whether the service can read the page already: a skip because of that would be final.
	 *
	 * @param WP_Post $post Post.
	 * @return null|WP_Error
	 */
	private static function look( $post ) {
		if ( 'always' === Pressbell_Campaign::choice( $post->ID ) ) {
			return null;
		}
		$preview = Pressbell_Rest::judge( get_permalink( $post ) );
		if ( is_wp_error( $preview ) ) {
			return $preview;
		}
		foreach ( 'skip' === $preview['decision'] ? $preview['reasons'] : array() as $reason ) {
			if ( in_array( $reason['code'], array( 'unreachable', 'http_status' ), true ) ) {
				return self::passing( $reason['code'], $reason['message'] );
			}
		}
		return null;
	}

	/**
	 * Sends a campaign, unless it has been sent or decided upon.
	 *
	 * @param int   $post_id  Post.
	 * @param array $campaign Campaign.
	 * @return null|WP_Error
	 */
	private static function send( $post_id, $campaign ) {
		if ( 'draft' !== $campaign['status'] && empty( $campaign['runId'] ) ) {
			$reasons = isset( $campaign['decision']['reasons'] ) ? wp_list_pluck( $campaign['decision']['reasons'], 'message' ) : array();
			$said    = $reasons ? implode( ' ', $reasons ) : $campaign['status'];
			return self::finish( $post_id, 'skipped', $said );
		}
		if ( empty( $campaign['runId'] ) ) {
			$campaign = Pressbell_Campaign::send( $post_id, $campaign['campaignId'] );
			if ( is_wp_error( $campaign ) ) {
				return $campaign;
			}
		}
		Pressbell_Nudges::change( $post_id, array( 'run_id' => $campaign['runId'] ) );
		return self::finish( $post_id, 'sent', '' );
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
	 * Why a publication is no news.
	 *
	 * @param WP_Post $post Post.
	 * @return string Empty if it is news.
	 */
	private static function reason_against( $post ) {
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
		if ( strtotime( $post->post_date_gmt . ' UTC' ) < time() - DAY_IN_SECONDS ) {
			return __( 'Its date is more than a day ago.', 'pressbell' );
		}
		return '';
	}

	/**
	 * An error that may pass.
	 *
	 * @param string $code    Code.
	 * @param string $message For editors.
	 * @return WP_Error
	 */
	public static function passing( $code, $message ) {
		return new WP_Error(
			$code,
			$message,
			array(
				'retry' => true,
				'after' => 0,
			)
		);
	}
}
