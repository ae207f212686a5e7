<?php
/**
 * What the box in the editor asks the server.
 *
 * @package Pressbell
 */

defined( 'ABSPATH' ) || exit;

/**
 * Two routes of the REST API, for those who may edit the post and notify readers. Neither answers with the API key.
 */
final class Pressbell_Rest {

	/**
	 * Hooks in.
	 */
	public static function listen() {
		add_action( 'rest_api_init', array( __CLASS__, 'add_routes' ) );
	}

	/**
	 * Registers the routes.
	 */
	public static function add_routes() {
		$routes = array(
			''         => array( 'GET', 'answer_state' ),
			'/preview' => array( 'POST', 'answer_preview' ),
		);
		foreach ( $routes as $path => list( $method, $answer ) ) {
			register_rest_route(
				'pressbell/v1',
				'/posts/(?P<id>\d+)' . $path,
				array(
					'methods'             => $method,
					'callback'            => array( __CLASS__, $answer ),
					'permission_callback' => static function ( $request ) {
						return current_user_can( 'edit_post', (int) $request['id'] ) && Pressbell_Rights::may_send();
					},
				)
			);
		}
	}

	/**
	 * What became of a post's notification, and whose readers get it.
	 *
	 * @param WP_REST_Request $request Request.
	 * @return WP_REST_Response
	 */
	public static function answer_state( $request ) {
		$post_id = (int) $request['id'];
		$names   = Pressbell_Campaign::topics( $post_id ) ? Pressbell_API::topics( true ) : array();
		return rest_ensure_response( self::state( $post_id ) + array( 'topics' => Pressbell_Box::topics( $post_id, $names ) ) );
	}

	/**
	 * The decision about a post's page, and the audience.
	 *
	 * @param WP_REST_Request $request Request.
	 * @return WP_REST_Response|WP_Error
	 */
	public static function answer_preview( $request ) {
		$post    = get_post( (int) $request['id'] );
		$preview = self::preview( $post );
		if ( is_wp_error( $preview ) ) {
			return new WP_Error( $preview->get_error_code(), $preview->get_error_message(), array( 'status' => 502 ) );
		}
		return rest_ensure_response( $preview );
	}

	/**
	 * The state of a post, in words.
	 *
	 * @param int $post_id Post.
	 * @return array state, said, and run (its counts, or null).
	 */
	public static function state( $post_id ) {
		$nudge = Pressbell_Nudges::read( $post_id );
		$state = $nudge ? $nudge->state : 'none';
		$run   = 'sent' === $state ? Pressbell_API::glance( '/v1/runs/' . rawurlencode( $nudge->run_id ) ) : null;
		$said  = $nudge ? self::said( $nudge ) : __( 'Not published yet.', 'pressbell' );
		if ( is_array( $run ) ) {
			/* translators: 1: readers, 2: taken by their push services, 3: shown, 4: clicks. */
			$said = sprintf( __( 'Sent to %1$s readers: %2$s accepted, %3$s shown, %4$s clicked.', 'pressbell' ), number_format_i18n( $run['audience'] ), number_format_i18n( $run['accepted'] ), number_format_i18n( $run['displayed'] ), number_format_i18n( $run['clicked'] ) );
			$run  = array_intersect_key( $run, array_flip( array( 'runId', 'status', 'audience', 'accepted', 'displayed', 'clicked' ) ) );
		}
		return array(
			'state' => $state,
			'said'  => $said,
			'run'   => is_array( $run ) ? $run : null,
		);
	}

	/**
	 * Checks a post's page. What is not public yet is not checked; then only the audience is known, by the home page.
	 *
	 * @param WP_Post $post Post.
	 * @return array|WP_Error decision (or null), reasons (sentences), reachable (readers).
	 */
	public static function preview( $post ) {
		$is_public = Pressbell_Publisher::is_public( $post );
		$preview   = self::check( $is_public ? get_permalink( $post ) : home_url( '/' ) );
		if ( is_wp_error( $preview ) ) {
			return $preview;
		}
		return array(
			'decision'  => $is_public ? $preview['decision'] : null,
			'reasons'   => $is_public ? wp_list_pluck( $preview['reasons'], 'message' ) : array( __( 'The story is checked once it is public.', 'pressbell' ) ),
			'reachable' => isset( $preview['audience']['reachable'] ) ? (int) $preview['audience']['reachable'] : null,
		);
	}

	/**
	 * Asks for the decision about an address.
	 *
	 * @param string $url Address.
	 * @return array|WP_Error
	 */
	public static function check( $url ) {
		$settings = Pressbell_Settings::all();
		return Pressbell_API::call(
			'POST',
			'/v1/content/preview',
			array(
				'url'      => $url,
				'siteId'   => $settings['site'],
				'tenantId' => $settings['tenant'],
			)
		);
	}

	/**
	 * What a row means.
	 *
	 * @param object $nudge Row.
	 * @return string
	 */
	public static function said( $nudge ) {
		switch ( $nudge->state ) {
			case 'sent':
				return __( 'Sent.', 'pressbell' );
			case 'skipped':
				/* translators: %s: the reasons, in English. */
				return sprintf( __( 'Not sent, as Pressbell advises against it: %s', 'pressbell' ), $nudge->message );
			case 'left':
				/* translators: %s: the reason. */
				return sprintf( __( 'No notification. %s', 'pressbell' ), $nudge->message );
			case 'failed':
				/* translators: %s: the reason. */
				return sprintf( __( 'Not sent, and not tried again. %s', 'pressbell' ), $nudge->message );
			case 'withdrawn':
				return trim( __( 'Not sent, as the post was withdrawn. Publishing it again may notify readers.', 'pressbell' ) . ' ' . $nudge->message );
		}
		if ( ! Pressbell_Publisher::is_public( get_post( (int) $nudge->post_id ) ) ) {
			return __( 'The post was withdrawn; its notification is being cancelled.', 'pressbell' );
		}
		if ( '' === $nudge->message ) {
			return __( 'The notification is on its way.', 'pressbell' );
		}
		/* translators: 1: the reason, 2: a time. */
		return sprintf( __( '%1$s It is tried again at %2$s.', 'pressbell' ), $nudge->message, wp_date( get_option( 'time_format' ), (int) $nudge->due ) );
	}
}
