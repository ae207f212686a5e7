<?php
/**
 * Tests of posts that are withdrawn after their campaign was created, and before it was sent.
 *
 * @package Pressbell
 */

/**
 * A withdrawn post is not sent, and notifies readers at most once when it is published again.
 */
final class WithdrawalTest extends Pressbell_Test_Case { // phpcs:ignore

	public function test_a_post_that_is_published_again_while_its_campaign_is_cancelled_nudges() {
		$this->answers['/send'] = array( 423, array( 'code' => 'send_paused', 'message' => 'Paused.' ) );
		$post                   = $this->post();
		$this->run_cron();
		$this->have_campaign( 'c1', 'draft' );
		wp_update_post( array( 'ID' => $post, 'post_status' => 'draft' ) );
		// The editor is quicker than the service's answer.
		$publish = static function ( $given, $request, $url ) use ( $post, &$publish ) {
			if ( '/cancel' === substr( $url, -7 ) ) {
				remove_filter( 'pre_http_request', $publish, 5 );
				wp_publish_post( $post );
			}
			return $given;
		};
		add_filter( 'pre_http_request', $publish, 5, 3 );
		$this->make_due( $post );
		$this->run_cron();
		$this->have_campaign( 'c1', 'cancelled' );
		$this->answers['/campaigns'] = array( 201, array( 'campaignId' => 'c2', 'status' => 'draft', 'runId' => null ) );
		$this->answers['/send']      = array( 202, array( 'campaignId' => 'c2', 'runId' => 'r1', 'status' => 'sending' ) );
		$this->run_cron();
		$this->assertSame( 'sent', $this->state( $post ) );
		$this->assertStringEndsWith( '-c1', $this->requests_of( '/campaigns' )[1]['headers']['Idempotency-Key'] );
	}

	/**
	 * What an editor changes while sending is paused, and a field of the campaign that follows.
	 *
	 * @return array[]
	 */
	public function corrections() {
		return array(
			'a title in the box' => array( array(), array( 'title' => 'Bridge opens' ), 'title', 'Bridge opens' ),
			'the choice'         => array( array(), array( 'choice' => 'always' ), 'mode', 'manual' ),
			'the headline'       => array( array( 'post_title' => 'Bridge opens on Sunday' ), array( 'title' => 'Brigde opens' ), 'mode', 'url' ),
		);
	}

	/**
	 * @dataProvider corrections
	 */
	public function test_what_an_editor_corrects_while_the_nudge_waits_is_sent( $fields, $chosen, $field, $value ) {
		$this->answers['/send'] = array( 423, array( 'code' => 'send_paused', 'message' => 'Paused.' ) );
		$post                   = $this->post_with( array( 'title' => 'Brigde opens' ) );
		$this->run_cron();
		$this->have_campaign( 'c1', 'draft' );
		Pressbell_Campaign::choose( $post, $chosen );
		wp_update_post( array( 'ID' => $post ) + $fields );
		$this->answers['/campaigns'] = array( 201, array( 'campaignId' => 'c2', 'status' => 'draft', 'runId' => null ) );
		$this->answers['/send']      = array( 202, array( 'campaignId' => 'c2', 'runId' => 'r1', 'status' => 'sending' ) );
		$this->make_due( $post );
		$this->run_cron();
		$this->assertSame( 'sent', $this->state( $post ) );
		$this->assertStringEndsWith( '/c1/cancel', $this->requests_of( '/cancel' )[0]['url'] );
		list( , $second ) = $this->requests_of( '/campaigns' );
		$this->assertSame( $value, $second['body'][ $field ] );
		$this->assertStringEndsWith( '-c1', $second['headers']['Idempotency-Key'] );
		$this->assertStringEndsWith( '/c2/send', $this->requests_of( '/send' )[1]['url'] );
	}

	public function test_what_a_person_has_changed_in_pressbell_is_sent_as_it_is() {
		$this->answers['/send'] = array( 423, array( 'code' => 'send_paused', 'message' => 'Paused.' ) );
		$post                   = $this->post();
		$this->run_cron();
		$changed                     = array( 'campaignId' => 'c1', 'status' => 'draft', 'runId' => null, 'createdAt' => '2030-01-01T10:00:00.000Z', 'updatedAt' => '2030-01-01T10:05:00.000Z' );
		$this->answers['campaigns?'] = array( 200, array( 'data' => array( $changed ), 'nextCursor' => null ) );
		$this->answers['/send']      = array( 202, array( 'campaignId' => 'c1', 'runId' => 'r1', 'status' => 'sending' ) );
		wp_update_post( array( 'ID' => $post, 'post_title' => 'Bridge opens on Sunday' ) );
		$this->make_due( $post );
		$this->run_cron();
		$this->assertSame( 'sent', $this->state( $post ) );
		$this->assertCount( 0, $this->requests_of( '/cancel' ) );
	}

	public function test_a_post_that_gets_a_password_before_its_nudge_is_not_sent() {
		$this->answers['/send'] = array( 423, array( 'code' => 'send_paused', 'message' => 'Paused.' ) );
		$post                   = $this->post();
		$this->run_cron();
		$this->have_campaign( 'c1', 'draft' );
		wp_update_post( array( 'ID' => $post, 'post_password' => 'secret' ) );
		$this->assertStringContainsString( 'being cancelled', Pressbell_Rest::state( $post )['said'] );
		$this->answers['/send'] = array( 202, array( 'campaignId' => 'c1', 'runId' => 'r1', 'status' => 'sending' ) );
		$this->make_due( $post );
		$this->run_cron();
		$this->assertCount( 1, $this->requests_of( '/send' ) );
		$this->assertCount( 1, $this->requests_of( '/cancel' ) );
		$this->assertSame( 'left', $this->state( $post ) );
	}

	public function test_the_command_does_not_nudge_for_a_post_with_a_password() {
		global $wpdb;
		$post = $this->post( array( 'post_password' => 'secret' ) );
		$wpdb->query( 'DELETE FROM ' . Pressbell_Nudges::table() );
		WP_CLI::$lines = array();
		( new Pressbell_CLI() )->nudge( array( $post ) );
		$this->assertSame( array( 'Error: The post has a password.' ), WP_CLI::$lines );
		$this->assertCount( 0, $this->requests );
	}

	/**
	 * A post whose campaign was created while sending was paused.
	 *
	 * @return int
	 */
	private function paused_post() {
		$sends                  = $this->answers['/send'];
		$this->answers['/send'] = array( 423, array( 'code' => 'send_paused' ) );
		$post                   = $this->post();
		$this->run_cron();
		$this->assertSame( 'waiting', $this->state( $post ) );
		$this->answers['/send'] = $sends;
		$this->have_campaign( 'c1', 'draft' );
		$this->requests = array();
		return $post;
	}

	/**
	 * Changes the status of a post and runs what is due.
	 *
	 * @param int    $post   Post.
	 * @param string $status Status.
	 */
	private function move( $post, $status ) {
		wp_update_post( array( 'ID' => $post, 'post_status' => $status ) );
		$this->make_due( $post );
		$this->run_cron();
	}

	public function test_the_campaign_is_cancelled_and_the_next_publication_makes_another_one() {
		$post = $this->paused_post();
		$this->move( $post, 'draft' );
		$this->assertSame( 'Not sent, as the post was withdrawn. Publishing it again may notify readers.', Pressbell_Rest::state( $post )['said'] );
		$this->assertStringEndsWith( '/v1/campaigns/c1/cancel', $this->requests_of( '/cancel' )[0]['url'] );
		$this->assertFalse( wp_next_scheduled( Pressbell_Publisher::EVENT, array( $post ) ) );

		$this->have_campaign( 'c1', 'cancelled' );
		$this->answers['/campaigns'] = array( 201, array( 'campaignId' => 'c2', 'status' => 'draft', 'runId' => null ) );
		$this->move( $post, 'publish' );
		$this->assertSame( 'sent', $this->state( $post ) );
		$this->assertSame( 'create-' . self::SITE . '-' . Pressbell_Campaign::external_id( $post ) . '-c1', $this->requests_of( '/campaigns' )[0]['headers']['Idempotency-Key'] );
		$this->assertStringEndsWith( '/v1/campaigns/c2/send', $this->requests_of( '/send' )[0]['url'] );

		$this->move( $post, 'draft' );
		$this->move( $post, 'publish' );
		$this->assertCount( 1, $this->requests_of( '/send' ) );
		$this->assertCount( 1, $this->requests_of( '/cancel' ) );
	}

	public function test_until_it_is_cancelled_the_box_says_that_it_will_be_and_faults_are_tried_again() {
		$post = $this->paused_post();
		wp_update_post( array( 'ID' => $post, 'post_status' => 'draft' ) );
		$this->assertSame( 'The post was withdrawn; its notification is being cancelled.', Pressbell_Rest::state( $post )['said'] );
		$cancels                  = $this->answers['/cancel'];
		$this->answers['/cancel'] = new WP_Error( 'http', 'connection refused' );
		$this->make_due( $post );
		$this->run_cron();
		$this->assertSame( 'waiting', $this->state( $post ) );
		$this->answers['/cancel'] = $cancels;
		$this->have_campaign( 'c1', 'cancelled' );
		$this->make_due( $post );
		$this->run_cron();
		$this->assertSame( 'withdrawn', $this->state( $post ) );
	}

	public function test_a_campaign_that_could_not_be_cancelled_is_cancelled_before_the_next_publication_nudges() {
		$post                     = $this->paused_post();
		$cancels                  = $this->answers['/cancel'];
		$this->answers['/cancel'] = new WP_Error( 'http', 'connection refused' );
		$this->pass( $post, 2 * HOUR_IN_SECONDS );
		$this->move( $post, 'draft' );
		$this->assertSame( 'withdrawn', $this->state( $post ) );
		$this->move( $post, 'publish' );
		$this->assertSame( 'waiting', $this->state( $post ) );
		$this->answers['/cancel']    = $cancels;
		$this->answers['/campaigns'] = array( 201, array( 'campaignId' => 'c2', 'status' => 'draft', 'runId' => null ) );
		$this->make_due( $post );
		$this->run_cron();
		$this->assertSame( 'sent', $this->state( $post ) );
		$this->assertStringEndsWith( '/v1/campaigns/c2/send', $this->requests_of( '/send' )[0]['url'] );
	}

	/**
	 * What a person may have done with the campaign meanwhile.
	 *
	 * @return array[]
	 */
	public function done() {
		return array(
			'sent'      => array( 'sent', 'r1', 'sent' ),
			'cancelled' => array( 'cancelled', null, 'skipped' ),
		);
	}

	/**
	 * @dataProvider done
	 */
	public function test_a_campaign_that_a_person_has_sent_or_cancelled_stays_so_and_never_nudges_again( $status, $run, $state ) {
		$post = $this->paused_post();
		$this->have_campaign( 'c1', $status, $run );
		$this->move( $post, 'trash' );
		$this->assertSame( $state, $this->state( $post ) );
		$this->move( $post, 'publish' );
		$this->assertSame( $state, $this->state( $post ) );
		$this->assertCount( 0, array_merge( $this->requests_of( '/send' ), $this->requests_of( '/cancel' ), $this->requests_of( '/campaigns' ) ) );
	}

	public function test_a_campaign_sent_in_the_moment_of_its_cancellation_counts_as_sent() {
		$post                     = $this->paused_post();
		$this->answers['/cancel'] = array( 409, array( 'code' => 'illegal_transition' ) );
		$this->move( $post, 'draft' );
		$this->have_campaign( 'c1', 'sending', 'r1' );
		$this->make_due( $post );
		$this->run_cron();
		$this->move( $post, 'publish' );
		$this->assertSame( 'sent', $this->state( $post ) );
		$this->assertCount( 0, $this->requests_of( '/send' ) );
	}

	public function test_a_deleted_post_is_cancelled_too() {
		$post = $this->paused_post();
		wp_delete_post( $post, true );
		$this->make_due( $post );
		$this->run_cron();
		$this->assertCount( 1, $this->requests_of( '/cancel' ) );
		$this->assertSame( 'withdrawn', $this->state( $post ) );
	}

	public function test_a_post_that_is_back_before_the_next_try_has_its_hour_from_now() {
		$post = $this->paused_post();
		$this->pass( $post, 2 * HOUR_IN_SECONDS );
		wp_update_post( array( 'ID' => $post, 'post_status' => 'draft' ) );
		$this->move( $post, 'publish' );
		$this->assertSame( 'sent', $this->state( $post ) );
		$this->assertCount( 1, $this->requests_of( '/send' ) );
	}

	public function test_a_withdrawn_post_that_comes_back_as_no_news_is_left() {
		$post = $this->paused_post();
		$this->move( $post, 'draft' );
		$_REQUEST['bulk_edit'] = 'Update';
		$this->move( $post, 'publish' );
		unset( $_REQUEST['bulk_edit'] );
		$this->assertSame( 'left', $this->state( $post ) );
		$this->move( $post, 'draft' );
		$this->move( $post, 'publish' );
		$this->assertSame( 'left', $this->state( $post ) );
		$this->assertCount( 0, $this->requests_of( '/send' ) );
	}
}
