<?php
/**
 * Base of the tests: a real WordPress and database; the service answers as each test says.
 *
 * @package Pressbell
 */

use PHPUnit\Framework\TestCase;

/**
 * Answers requests of WordPress and keeps them.
 */
abstract class Pressbell_Test_Case extends TestCase {

	const TENANT = '0199aaaa-0000-7000-8000-000000000001';
	const SITE   = '0199aaaa-0000-7000-8000-000000000002';
	const TOPIC  = '0199aaaa-0000-7000-8000-000000000003';
	const SECRET = 'pbk_a-secret-of-the-tests';

	/** Requests so far. @var array[] */
	protected $requests = array();

	/** Answers by the end of the path: status, body, headers; null lets WordPress ask. @var array[] */
	protected $answers = array();

	/**
	 * Sets up a blog without posts whose service sends all.
	 */
	protected function setUp(): void {
		global $wpdb;
		foreach ( get_posts( array( 'numberposts' => -1, 'post_status' => 'any', 'post_type' => 'any' ) ) as $post ) {
			wp_delete_post( $post->ID, true );
		}
		$wpdb->query( 'DELETE FROM ' . Pressbell_Nudges::table() );
		wp_unschedule_hook( Pressbell_Publisher::EVENT );
		delete_transient( 'pressbell_topics' );
		delete_transient( 'pressbell_away' );
		$_POST = array();
		wp_set_current_user( 1 );
		Pressbell_Settings::save(
			array(
				'url'        => 'http://127.0.0.1:8080/',
				'tenant'     => self::TENANT,
				'site'       => self::SITE,
				'key'        => self::SECRET,
				'choice'     => 'auto',
				'post_types' => array( 'post' ),
				'topics'     => array(),
			)
		);
		$this->answers = array(
			'page'             => array( 200, '' ),
			'campaigns?'       => array( 200, array( 'data' => array(), 'nextCursor' => null ) ),
			'/campaigns'       => array( 201, array( 'campaignId' => 'c1', 'status' => 'draft', 'runId' => null ) ),
			'/cancel'          => array( 200, array( 'campaignId' => 'c1', 'status' => 'cancelled', 'runId' => null ) ),
			'/send'            => array( 202, array( 'campaignId' => 'c1', 'runId' => 'r1', 'status' => 'sending' ) ),
			'/content/preview' => array( 200, array( 'decision' => 'send', 'reasons' => array( array( 'code' => 'recent', 'message' => 'It is new.' ) ), 'audience' => array( 'reachable' => 1234 ) ) ),
			'/runs/r1'         => array( 200, array( 'runId' => 'r1', 'status' => 'completed', 'audience' => 1000, 'accepted' => 990, 'displayed' => 500, 'clicked' => 20 ) ),
			'/sites?'          => array( 200, array( 'data' => array( array( 'siteId' => self::SITE, 'name' => 'Herald', 'url' => 'http://localhost', 'topics' => array( array( 'topicId' => self::TOPIC, 'name' => 'Sport' ) ) ) ), 'nextCursor' => null ) ),
		);
		add_filter( 'pre_http_request', array( $this, 'answer' ), 10, 3 );
	}

	/**
	 * Takes the answers away.
	 */
	protected function tearDown(): void {
		remove_filter( 'pre_http_request', array( $this, 'answer' ), 10 );
	}

	/**
	 * Answers a request.
	 *
	 * @param mixed  $given   Nothing.
	 * @param array  $request Request.
	 * @param string $url     Address.
	 * @return array|WP_Error
	 */
	public function answer( $given, $request, $url ) {
		$is_api = 0 === strpos( $url, 'http://127.0.0.1:8080/v1/' );
		$name   = 'page';
		foreach ( $is_api ? array_keys( $this->answers ) : array() as $known ) {
			if ( '?' === substr( $known, -1 ) ? false !== strpos( $url, $known ) : substr( $url, -strlen( $known ) ) === $known ) {
				$name = $known;
				break;
			}
		}
		$this->requests[] = array(
			'name'    => $name,
			'url'     => $url,
			'timeout' => $request['timeout'],
			'headers' => $request['headers'],
			'body'    => json_decode( (string) $request['body'], true ),
		);
		$answer           = $this->answers[ $name ];
		if ( null === $answer || is_wp_error( $answer ) ) {
			return null === $answer ? $given : $answer;
		}
		return array(
			'response' => array( 'code' => $answer[0], 'message' => '' ),
			'headers'  => new Requests_Utility_CaseInsensitiveDictionary( isset( $answer[2] ) ? $answer[2] : array() ),
			'body'     => wp_json_encode( $answer[1] ),
			'cookies'  => array(),
		);
	}

	/**
	 * Creates a post.
	 *
	 * @param array $fields Fields.
	 * @return int
	 */
	protected function post( $fields = array() ) {
		return wp_insert_post( array_merge( array( 'post_title' => 'Bridge opens', 'post_content' => 'On Saturday.', 'post_status' => 'publish', 'post_author' => 1 ), $fields ) );
	}

	/**
	 * Creates a post that is published with something chosen in its box.
	 *
	 * @param string[] $chosen choice, title and text.
	 * @param array    $fields Fields.
	 * @return int
	 */
	protected function post_with( $chosen, $fields = array() ) {
		$post = $this->post( array( 'post_status' => 'draft' ) + $fields );
		Pressbell_Campaign::choose( $post, $chosen );
		wp_publish_post( $post );
		return $post;
	}

	/**
	 * Runs the due events of the plugin as wp-cron does.
	 */
	protected function run_cron() {
		foreach ( wp_get_ready_cron_jobs() as $time => $hooks ) {
			foreach ( isset( $hooks[ Pressbell_Publisher::EVENT ] ) ? $hooks[ Pressbell_Publisher::EVENT ] : array() as $event ) {
				wp_unschedule_event( $time, Pressbell_Publisher::EVENT, $event['args'] );
				do_action_ref_array( Pressbell_Publisher::EVENT, $event['args'] );
			}
		}
	}

	/**
	 * Moves the next try to now.
	 *
	 * @param int $post_id Post.
	 */
	protected function make_due( $post_id ) {
		Pressbell_Nudges::change( $post_id, array( 'due' => time() ) );
		Pressbell_Publisher::resume();
	}

	/**
	 * Lets time pass for a post: moves its times back.
	 *
	 * @param int $post_id Post.
	 * @param int $seconds Seconds.
	 */
	protected function pass( $post_id, $seconds ) {
		$nudge = Pressbell_Nudges::read( $post_id );
		Pressbell_Nudges::change( $post_id, array( 'since' => $nudge->since - $seconds, 'due' => $nudge->due - $seconds ) );
		Pressbell_Publisher::resume();
	}

	/**
	 * Lets the service have a campaign of each post.
	 *
	 * @param string      $campaign_id Campaign.
	 * @param string      $status      Its status.
	 * @param string|null $run_id      Its run.
	 */
	protected function have_campaign( $campaign_id, $status, $run_id = null ) {
		$campaign                    = array( 'campaignId' => $campaign_id, 'status' => $status, 'runId' => $run_id );
		$this->answers['campaigns?'] = array( 200, array( 'data' => array( $campaign ), 'nextCursor' => null ) );
	}

	/**
	 * The requests of a name.
	 *
	 * @param string $name As in answers.
	 * @return array[]
	 */
	protected function requests_of( $name ) {
		return array_values( wp_list_filter( $this->requests, array( 'name' => $name ) ) );
	}

	/**
	 * The state of a post.
	 *
	 * @param int $post_id Post.
	 * @return string
	 */
	protected function state( $post_id ) {
		return Pressbell_Rest::state( $post_id )['state'];
	}
}
