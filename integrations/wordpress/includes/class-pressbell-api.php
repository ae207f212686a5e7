<?php
/**
 * Calls of the Pressbell service.
 *
 * @package Pressbell
 */

defined( 'ABSPATH' ) || exit;

/**
 * Calls the API with the blog's key.
 */
final class Pressbell_API {

	/** Seconds that a call may take. */
	const TIMEOUT = 20;

	/** The same for what the editor shows: it must not hang while the service is away. */
	const GLANCE_TIMEOUT = 2;

	/** A transient: why the last glance failed. */
	const AWAY = 'pressbell_away';

	/**
	 * Calls an operation. Uses wp_remote_request because wp_safe_remote_request refuses a service on this machine; only
	 * those who may manage the blog's options set the address.
	 *
	 * @param string      $method GET or POST.
	 * @param string      $path   Begins with /v1/.
	 * @param array|null  $body   Fields of the request.
	 * @param string|null $key    Idempotency key.
	 * @param int         $limit  Seconds that it may take.
	 * @return array|WP_Error The answer. An error's data has status, retry (whether it may pass) and after (seconds).
	 */
	public static function call( $method, $path, $body = null, $key = null, $limit = self::TIMEOUT ) {
		$settings = Pressbell_Settings::all();
		$secret   = Pressbell_Settings::key();
		if ( ! Pressbell_Settings::are_complete() ) {
			return self::error( 'not_set_up', __( 'Pressbell is not set up. Look at Settings → Pressbell.', 'pressbell' ), 0, true );
		}
		if ( ! Pressbell_Settings::is_safe( $settings['url'] ) ) {
			return self::error( 'not_https', __( 'The address of the Pressbell service must begin with https://. Change it in Settings → Pressbell.', 'pressbell' ), 0, true );
		}
		if ( Pressbell_Settings::are_of_another_blog() ) {
			return self::error( 'another_blog', __( 'This blog has another address than when Pressbell was set up. If it is no copy, save Settings → Pressbell again.', 'pressbell' ), 0, true );
		}
		$headers = array(
			'Authorization' => 'Bearer ' . $secret,
			'Content-Type'  => 'application/json',
			'Accept'        => 'application/json',
		);
		if ( null !== $key ) {
			$headers['Idempotency-Key'] = $key;
		}
		$request = array(
			'method'      => $method,
			'timeout'     => $limit,
			// A redirect would carry the key elsewhere.
			'redirection' => 0,
			'headers'     => $headers,
			'user-agent'  => 'Pressbell-WordPress/' . PRESSBELL_VERSION,
		);
		if ( 'POST' === $method ) {
			$request['body'] = wp_json_encode( null === $body ? new stdClass() : $body );
		}
		$answer = wp_remote_request( $settings['url'] . $path, $request );
		if ( is_wp_error( $answer ) ) {
			/* translators: %s: the reason, in English. */
			return self::error( 'unreachable', sprintf( __( 'The Pressbell service could not be reached: %s', 'pressbell' ), $answer->get_error_message() ), 0, true );
		}
		return self::read( $answer );
	}

	/**
	 * Reads something for the editor, in little time. While the service is away it is asked once a minute, as each question
	 * holds a process of the web server.
	 *
	 * @param string $path Begins with /v1/.
	 * @return array|WP_Error
	 */
	public static function glance( $path ) {
		$away = get_transient( self::AWAY );
		if ( is_string( $away ) ) {
			return self::error( 'unreachable', $away, 0, true );
		}
		$answer = self::call( 'GET', $path, null, null, self::GLANCE_TIMEOUT );
		if ( is_wp_error( $answer ) && ( 'unreachable' === $answer->get_error_code() || $answer->get_error_data()['status'] >= 500 ) ) {
			set_transient( self::AWAY, $answer->get_error_message(), MINUTE_IN_SECONDS );
		}
		return $answer;
	}

	/**
	 * The site's topics, kept for five minutes.
	 *
	 * @param bool $is_glance Whether it is for the editor.
	 * @return array|WP_Error Names by topic id.
	 */
	public static function topics( $is_glance = false ) {
		$topics = get_transient( 'pressbell_topics' );
		if ( is_array( $topics ) ) {
			return $topics;
		}
		$site = self::site( $is_glance );
		if ( is_wp_error( $site ) ) {
			return $site;
		}
		$topics = wp_list_pluck( $site['topics'], 'name', 'topicId' );
		set_transient( 'pressbell_topics', $topics, 5 * MINUTE_IN_SECONDS );
		return $topics;
	}

	/**
	 * The site of the settings, as the service knows it.
	 *
	 * @param bool $is_glance Whether it is for the editor.
	 * @return array|WP_Error
	 */
	public static function site( $is_glance = false ) {
		$settings = Pressbell_Settings::all();
		$cursor   = '';
		do {
			$path   = '/v1/tenants/' . rawurlencode( $settings['tenant'] ) . '/sites?limit=100' . $cursor;
			$answer = $is_glance ? self::glance( $path ) : self::call( 'GET', $path );
			if ( is_wp_error( $answer ) ) {
				return $answer;
			}
			foreach ( $answer['data'] as $site ) {
				if ( $site['siteId'] === $settings['site'] ) {
					return $site;
				}
			}
			$cursor = '&cursor=' . rawurlencode( (string) $answer['nextCursor'] );
		} while ( ! empty( $answer['nextCursor'] ) );
		return self::error( 'no_site', __( 'The tenant has no site with this id. Copy it from the install snippet.', 'pressbell' ), 404, false );
	}

	/**
	 * An error that may pass, of a try that ended before its call.
	 *
	 * @param string $code    Code.
	 * @param string $message For editors.
	 * @return WP_Error Like those of call().
	 */
	public static function passing( $code, $message ) {
		return self::error( $code, $message, 0, true );
	}

	/**
	 * Reads an answer.
	 *
	 * @param array $answer Of wp_remote_request.
	 * @return array|WP_Error
	 */
	private static function read( $answer ) {
		$status = (int) wp_remote_retrieve_response_code( $answer );
		$body   = json_decode( wp_remote_retrieve_body( $answer ), true );
		if ( $status >= 200 && $status < 300 && is_array( $body ) ) {
			return $body;
		}
		$code    = is_array( $body ) && isset( $body['code'] ) ? (string) $body['code'] : 'http_' . $status;
		$message = is_array( $body ) && isset( $body['message'] ) ? (string) $body['message'] : '';
		$faults  = array();
		foreach ( is_array( $body ) && isset( $body['errors'] ) ? (array) $body['errors'] : array() as $fault ) {
			$faults[] = trim( $fault['path'] . ' ' . $fault['message'] );
		}
		// As the bridge for webhooks: what a person can fix within the hour, or what passes by itself. An answer without a code is that of
		// a proxy: some say 404 while the service is away.
		$is_passing = ! isset( $body['code'] ) || $status < 400 || $status >= 500 || in_array( $status, array( 401, 402, 408, 423, 429 ), true )
			|| in_array( $code, array( 'dpa_required', 'idempotency_key_reused' ), true );
		$error      = self::error( $code, self::plain( $code, $status, $faults ? implode( '; ', $faults ) : $message ), $status, $is_passing );
		$error->add_data( array_merge( $error->get_error_data(), array( 'after' => self::seconds( $answer ) ) ) );
		return $error;
	}

	/**
	 * The seconds of a Retry-After header, which may be a date (RFC 9110, section 10.2.3).
	 *
	 * @param array $answer Of wp_remote_request.
	 * @return int 0 without one, at most an hour.
	 */
	private static function seconds( $answer ) {
		$value   = (string) wp_remote_retrieve_header( $answer, 'retry-after' );
		$seconds = is_numeric( $value ) ? (int) $value : (int) strtotime( $value ) - time();
		return max( 0, min( HOUR_IN_SECONDS, $seconds ) );
	}

	/**
	 * What an editor is told about a refusal.
	 *
	 * @param string $code   Of the API.
	 * @param int    $status HTTP status.
	 * @param string $detail The service's own sentence.
	 * @return string
	 */
	private static function plain( $code, $status, $detail ) {
		if ( 401 === $status ) {
			return __( 'Pressbell does not know this API key. Enter a valid one in Settings → Pressbell.', 'pressbell' );
		}
		if ( 'scope_missing' === $code ) {
			return __( 'The API key may not do this. It needs the scopes preview, draft, send and read.', 'pressbell' );
		}
		if ( 'send_paused' === $code ) {
			return __( 'Sending is paused in Pressbell.', 'pressbell' );
		}
		if ( 429 === $status ) {
			return __( 'Pressbell has had too many requests and asks to wait.', 'pressbell' );
		}
		if ( $status >= 500 ) {
			/* translators: %d: HTTP status. */
			return sprintf( __( 'The Pressbell service has a fault (%d).', 'pressbell' ), $status );
		}
		/* translators: 1: a code, 2: the service's sentence, in English. */
		return sprintf( __( 'Pressbell refuses this (%1$s): %2$s', 'pressbell' ), $code, $detail );
	}

	/**
	 * Makes an error.
	 *
	 * @param string $code       Code.
	 * @param string $message    For editors.
	 * @param int    $status     HTTP status, 0 without an answer.
	 * @param bool   $is_passing Whether to try again.
	 * @return WP_Error
	 */
	private static function error( $code, $message, $status, $is_passing ) {
		return new WP_Error(
			$code,
			$message,
			array(
				'status' => $status,
				'retry'  => $is_passing,
				'after'  => 0,
			)
		);
	}
}
