<?php
/**
 * Tests of what is tried again.
 *
 * @package Pressbell
 */

/**
 * Faults that may pass are tried again, others are said.
 */
final class RetriesTest extends Pressbell_Test_Case { // phpcs:ignore

	public function test_an_event_that_got_lost_is_planned_again_by_the_next_cron() {
		$post = $this->post();
		wp_unschedule_hook( Pressbell_Publisher::EVENT );
		$load = sprintf( 'define( "DOING_CRON", true ); require %s;', var_export( getenv( 'PRESSBELL_TEST_FOLDER' ) . '/www/wp-load.php', true ) ); // phpcs:ignore
		exec( 'php -r ' . escapeshellarg( $load ), $lines, $status ); // phpcs:ignore
		$this->assertSame( array( array(), 0 ), array( $lines, $status ) );
		wp_cache_flush();
		$this->assertIsInt( wp_next_scheduled( Pressbell_Publisher::EVENT, array( $post ) ) );
		$this->run_cron();
		$this->assertSame( 'sent', $this->state( $post ) );
	}

	public function test_a_copy_of_a_blog_at_another_address_nudges_nobody_until_its_settings_are_saved() {
		$post = $this->post();
		$copy = static function () {
			return 'https://staging.example';
		};
		add_filter( 'option_home', $copy, 20 );
		$this->run_cron();
		$this->assertStringContainsString( 'another address', Pressbell_Rest::state( $post )['said'] );
		$this->assertSame( array( 'page' ), array_column( $this->requests, 'name' ) );
		Pressbell_Settings::save( array() );
		$this->make_due( $post );
		$this->run_cron();
		remove_filter( 'option_home', $copy, 20 );
		$this->assertSame( 'sent', $this->state( $post ) );
	}

	/**
	 * Answers after which the same post is tried again.
	 *
	 * @return array[]
	 */
	public function passing() {
		return array(
			'the page is not there yet'      => array( 'page', array( 404, '' ), 'The public page does not answer (404).', 30 ),
			'the page redirects to a log-in' => array( 'page', array( 302, '', array( 'location' => '/wp-login.php?redirect_to=x' ) ), 'leads to another one: http://localhost', 30 ),
			'a redirect without a target'    => array( 'page', array( 302, '' ), 'does not answer (302)', 30 ),
			'the service is away'            => array( '/send', new WP_Error( 'http', 'connection refused' ), 'could not be reached: connection refused', 30 ),
			'too many requests'              => array( '/campaigns', array( 429, array( 'code' => 'rate_limited' ), array( 'retry-after' => '120' ) ), 'too many requests', 120 ),
			'a fault of the service'         => array( '/send', array( 503, '' ), 'has a fault (503)', 30 ),
			'a proxy without a service'      => array( '/campaigns', array( 404, '' ), 'http_404', 30 ),
			'paused sending'                 => array( '/send', array( 423, array( 'code' => 'send_paused' ) ), 'Sending is paused', 30 ),
			'a wrong key'                    => array( 'campaigns?', array( 401, array( 'code' => 'unauthorized' ) ), 'does not know this API key', 30 ),
			'a page it cannot read yet'      => array( '/content/preview', array( 200, array( 'decision' => 'skip', 'reasons' => array( array( 'code' => 'http_status', 'message' => 'The page answers 404.' ) ) ) ), 'The page answers 404.', 30 ),
		);
	}

	/**
	 * @dataProvider passing
	 */
	public function test_what_may_pass_is_tried_again_and_said( $name, $answer, $said, $seconds ) {
		$working                = $this->answers[ $name ];
		$this->answers[ $name ] = $answer;
		$post                   = $this->post();
		$this->run_cron();
		$state = Pressbell_Rest::state( $post );
		$this->assertSame( 'waiting', $state['state'] );
		$this->assertStringContainsString( $said, $state['said'] );
		$this->assertEqualsWithDelta( time() + $seconds, wp_next_scheduled( Pressbell_Publisher::EVENT, array( $post ) ), 2 );

		$this->answers[ $name ] = $working;
		$this->make_due( $post );
		$this->run_cron();
		$this->assertSame( 'sent', $this->state( $post ) );
	}

	public function test_it_gives_up_after_about_an_hour() {
		$this->answers['page'] = array( 404, '' );
		$post                  = $this->post();
		$this->run_cron();
		$passed = 0;
		while ( 'waiting' === $this->state( $post ) ) {
			$this->assertLessThan( 2 * HOUR_IN_SECONDS, $passed );
			$seconds = Pressbell_Nudges::read( $post )->due - time();
			$this->pass( $post, $seconds );
			$this->run_cron();
			$passed += $seconds;
		}
		$this->assertGreaterThan( HOUR_IN_SECONDS - 10, $passed );
		$this->assertStringContainsString( 'does not answer (404)', Pressbell_Rest::state( $post )['said'] );
		$this->assertFalse( wp_next_scheduled( Pressbell_Publisher::EVENT, array( $post ) ) );
	}

	public function test_a_post_is_not_nudged_for_late_though_wp_cron_stood_still_or_the_plugin_was_off() {
		$post = $this->post();
		wp_unschedule_hook( Pressbell_Publisher::EVENT );
		$this->pass( $post, 2 * HOUR_IN_SECONDS );
		$this->run_cron();
		$this->assertCount( 0, $this->requests );
		$this->assertSame( 'Not sent, and not tried again. It could not be sent within about an hour of its publication.', Pressbell_Rest::state( $post )['said'] );
		$this->assertTrue( Pressbell_Publisher::nudge_now( get_post( $post ) ) );
		$this->assertSame( 'sent', $this->state( $post ) );
	}

	public function test_a_service_that_asks_to_wait_again_and_again_does_not_make_a_nudge_late() {
		$this->answers['/send'] = array( 423, array( 'code' => 'send_paused' ), array( 'retry-after' => '3600' ) );
		$post                   = $this->post();
		$this->run_cron();
		$this->assertSame( 'waiting', $this->state( $post ) );
		$this->pass( $post, HOUR_IN_SECONDS );
		$this->run_cron();
		$this->assertSame( 'failed', $this->state( $post ) );
		$this->assertCount( 2, $this->requests_of( '/send' ) );
	}

	public function test_a_late_post_that_a_dying_try_has_sent_is_said_to_be_sent() {
		$post = $this->post();
		$this->assertTrue( Pressbell_Nudges::take( $post, 180 ) );
		$this->have_campaign( 'c1', 'sent', 'r1' );
		$this->pass( $post, 2 * HOUR_IN_SECONDS );
		$this->run_cron();
		$this->assertSame( 'sent', $this->state( $post ) );
		$this->assertCount( 0, $this->requests_of( '/send' ) );
	}

	public function test_a_refusal_is_said_and_not_tried_again() {
		$this->answers['/campaigns'] = array( 400, array( 'code' => 'validation_failed', 'message' => 'x', 'errors' => array( array( 'path' => '/url', 'message' => 'must be https' ) ) ) );
		$post                        = $this->post();
		$this->run_cron();
		$state = Pressbell_Rest::state( $post );
		$this->assertSame( 'failed', $state['state'] );
		$this->assertStringContainsString( 'validation_failed): /url must be https', $state['said'] );
	}

	public function test_a_story_that_the_decision_skips_is_not_sent_and_its_reasons_are_said() {
		$this->answers['/campaigns'] = array( 201, array( 'campaignId' => 'c1', 'status' => 'cancelled', 'runId' => null, 'decision' => array( 'reasons' => array( array( 'message' => 'It was sent before.' ) ) ) ) );
		$post                        = $this->post();
		$this->run_cron();
		$this->assertSame( 'Not sent, as Pressbell advises against it: It was sent before.', Pressbell_Rest::state( $post )['said'] );
		$this->assertCount( 0, $this->requests_of( '/send' ) );
	}

	public function test_after_an_answer_was_lost_the_campaign_that_is_there_is_sent_with_the_same_key() {
		$this->answers['/send'] = new WP_Error( 'http', 'the answer was lost' );
		$post                   = $this->post();
		$this->run_cron();
		$this->answers['campaigns?'] = array( 200, array( 'data' => array( array( 'campaignId' => 'c1', 'status' => 'draft', 'runId' => null ) ), 'nextCursor' => null ) );
		$this->answers['/send']      = array( 202, array( 'runId' => 'r1', 'duplicate' => true ) );
		$this->make_due( $post );
		$this->run_cron();
		$sends = $this->requests_of( '/send' );
		$this->assertSame( $sends[0]['headers']['Idempotency-Key'], $sends[1]['headers']['Idempotency-Key'] );
		$this->assertCount( 1, $this->requests_of( '/campaigns' ) );
		$this->assertSame( 'sent', $this->state( $post ) );
	}

	public function test_a_process_that_dies_in_a_try_is_followed_by_another() {
		$post = $this->post();
		add_filter(
			'pre_http_request',
			static function () {
				throw new RuntimeException( 'died' );
			},
			1
		);
		try {
			$this->run_cron();
		} catch ( RuntimeException $died ) {
			$this->assertSame( 'died', $died->getMessage() );
		}
		remove_all_filters( 'pre_http_request', 1 );
		$this->assertNotFalse( wp_next_scheduled( Pressbell_Publisher::EVENT, array( $post ) ) );
		$this->make_due( $post );
		$this->run_cron();
		$this->assertSame( 'sent', $this->state( $post ) );
	}
}
