<?php
/**
 * One try to notify readers of a post.
 *
 * @package Pressbell
 */

defined( 'ABSPATH' ) || exit;

/**
 * What one try does at the service. Notes the campaign and its run in the row; state and events are the publisher's.
 *
 * Each try ends with an outcome, array( state, message ) of the row, or with a WP_Error like those of Pressbell_API.
 */
final class Pressbell_Attempt {

	/**
	 * Looks at the page, creates the campaign and sends it.
	 *
	 * @param WP_Post $post  Post.
	 * @param object  $nudge Row.
	 * @return array|WP_Error
	 */
	public static function nudge( $post, $nudge ) {
		$absent = Pressbell_Permalink::look( get_permalink( $post ) );
		if ( is_wp_error( $absent ) ) {
			return $absent;
		}
		$campaign = Pressbell_Campaign::find( $post->ID );
		if ( is_array( $campaign ) && $campaign['campaignId'] === $nudge->withdrawn_id && empty( $campaign['runId'] ) ) {
			// The post may have changed since. Its cancellation may have failed.
			$cancelled = Pressbell_Campaign::is_open( $campaign ) ? Pressbell_Campaign::cancel( $campaign['campaignId'] ) : null;
			$campaign  = is_wp_error( $cancelled ) ? $cancelled : null;
		} elseif ( is_array( $campaign ) && self::is_outdated( $post, $nudge, $campaign ) ) {
			// Kept before it is cancelled, as in withdraw().
			$nudge->withdrawn_id = $campaign['campaignId'];
			Pressbell_Nudges::change( $post->ID, array( 'withdrawn_id' => $nudge->withdrawn_id ) );
			$cancelled = Pressbell_Campaign::cancel( $nudge->withdrawn_id );
			$campaign  = is_wp_error( $cancelled ) ? $cancelled : null;
		}
		if ( null === $campaign ) {
			$campaign = self::create( $post, $nudge );
		}
		if ( is_wp_error( $campaign ) ) {
			return $campaign;
		}
		Pressbell_Nudges::change( $post->ID, array( 'campaign_id' => $campaign['campaignId'] ) );
		return self::send( $post->ID, $campaign );
	}

	/**
	 * Cancels the campaign of a post that was withdrawn before it was sent. The next publication can then claim the post.
	 *
	 * @param object $nudge Row.
	 * @return array|WP_Error
	 */
	public static function withdraw( $nudge ) {
		$post_id  = (int) $nudge->post_id;
		$campaign = self::earlier( $nudge );
		if ( is_array( $campaign ) && Pressbell_Campaign::is_open( $campaign ) ) {
			// Kept before it is cancelled: if the answer is lost, the next try must tell this from a person's cancellation.
			Pressbell_Nudges::change( $post_id, array( 'withdrawn_id' => $campaign['campaignId'] ) );
			$campaign = Pressbell_Campaign::cancel( $campaign['campaignId'] );
		} elseif ( is_array( $campaign ) && ( ! empty( $campaign['runId'] ) || $campaign['campaignId'] !== $nudge->withdrawn_id ) ) {
			return self::send( $post_id, $campaign );
		}
		return is_wp_error( $campaign ) ? $campaign : array( 'withdrawn', '' );
	}

	/**
	 * Gives up, unless a try that died has sent the campaign.
	 *
	 * @param object $nudge Row.
	 * @return array|WP_Error
	 */
	public static function end_late( $nudge ) {
		$campaign = self::earlier( $nudge );
		if ( is_array( $campaign ) && ! empty( $campaign['runId'] ) ) {
			return self::send( (int) $nudge->post_id, $campaign );
		}
		$said = __( 'It could not be sent within about an hour of its publication.', 'pressbell' );
		return array( 'failed', trim( $nudge->message . ' ' . $said ) );
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
	 * Whether the post or its box was changed since its campaign was created, and no person has changed that in Pressbell.
	 *
	 * @param WP_Post $post     Post.
	 * @param object  $nudge    Row.
	 * @param array   $campaign Campaign.
	 * @return bool
	 */
	private static function is_outdated( $post, $nudge, $campaign ) {
		$times = array_merge( array_fill_keys( array( 'createdAt', 'updatedAt' ), '' ), $campaign );
		return 'draft' === $campaign['status'] && empty( $campaign['runId'] ) && $times['createdAt'] === $times['updatedAt']
			&& '' !== $nudge->digest && Pressbell_Campaign::digest( $post ) !== $nudge->digest;
	}

	/**
	 * Creates the campaign, and keeps of what.
	 *
	 * @param WP_Post $post  Post.
	 * @param object  $nudge Row.
	 * @return array|WP_Error
	 */
	private static function create( $post, $nudge ) {
		$absent = self::look( $post );
		if ( is_wp_error( $absent ) ) {
			return $absent;
		}
		Pressbell_Nudges::change( $post->ID, array( 'digest' => Pressbell_Campaign::digest( $post ) ) );
		return Pressbell_Campaign::create( $post, $nudge->withdrawn_id );
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
		$preview = Pressbell_Rest::check( get_permalink( $post ) );
		if ( is_wp_error( $preview ) ) {
			return $preview;
		}
		foreach ( 'skip' === $preview['decision'] ? $preview['reasons'] : array() as $reason ) {
			if ( in_array( $reason['code'], array( 'unreachable', 'http_status' ), true ) ) {
				return Pressbell_API::passing( $reason['code'], $reason['message'] );
			}
		}
		return null;
	}

	/**
	 * Sends a campaign, unless it has been sent or decided upon.
	 *
	 * @param int   $post_id  Post.
	 * @param array $campaign Campaign.
	 * @return array|WP_Error
	 */
	private static function send( $post_id, $campaign ) {
		if ( 'draft' !== $campaign['status'] && empty( $campaign['runId'] ) ) {
			$reasons = isset( $campaign['decision']['reasons'] ) ? wp_list_pluck( $campaign['decision']['reasons'], 'message' ) : array();
			$said    = $reasons ? implode( ' ', $reasons ) : $campaign['status'];
			return array( 'skipped', $said );
		}
		if ( empty( $campaign['runId'] ) ) {
			$campaign = Pressbell_Campaign::send( $post_id, $campaign['campaignId'] );
			if ( is_wp_error( $campaign ) ) {
				return $campaign;
			}
		}
		Pressbell_Nudges::change( $post_id, array( 'run_id' => $campaign['runId'] ) );
		return array( 'sent', '' );
	}
}
