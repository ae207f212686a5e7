<?php
/**
 * Tests of what notifies readers, and what does not.
 *
 * @package Pressbell
 */

/**
 * A post notifies readers once.
 */
final class PublisherTest extends Pressbell_Test_Case { // phpcs:ignore

	public function test_a_publication_creates_a_campaign_and_sends_it_with_keys_of_blog_and_post() {
		$post = $this->post();
		$this->run_cron();
		$this->assertSame( 'sent', $this->state( $post ) );
		list( $create ) = $this->requests_of( '/campaigns' );
		list( $send )   = $this->requests_of( '/send' );
		$external       = Pressbell_Campaign::external_id( $post );
		$this->assertSame( 'create-' . self::SITE . '-' . $external, $create['headers']['Idempotency-Key'] );
		$this->assertSame( 'send-' . $external, $send['headers']['Idempotency-Key'] );
		$this->assertSame( 'Bearer ' . self::SECRET, $create['headers']['Authorization'] );
		$this->assertSame( array( 'siteId' => self::SITE, 'url' => get_permalink( $post ), 'mode' => 'url', 'externalId' => $external ), $create['body'] );
		$this->assertFalse( wp_next_scheduled( Pressbell_Publisher::EVENT, array( $post ) ) );
	}

	public function test_an_update_and_a_new_publication_nudge_no_more() {
		$post = $this->post();
		$this->run_cron();
		foreach ( array( 'publish', 'draft', 'publish', 'private', 'publish', 'trash', 'publish' ) as $status ) {
			wp_update_post( array( 'ID' => $post, 'post_status' => $status, 'post_title' => $status ) );
			$this->run_cron();
		}
		$this->assertCount( 1, $this->requests_of( '/send' ) );
	}

	public function test_a_post_withdrawn_before_its_nudge_nudges_at_its_next_publication() {
		$post = $this->post();
		wp_update_post( array( 'ID' => $post, 'post_status' => 'draft' ) );
		$this->run_cron();
		$this->assertCount( 0, $this->requests );
		$this->assertSame( 'withdrawn', $this->state( $post ) );
		wp_publish_post( $post );
		$this->run_cron();
		$this->assertCount( 1, $this->requests_of( '/send' ) );
	}

	public function test_a_post_of_before_the_plugin_is_no_news_when_it_is_published_again() {
		$post = $this->post();
		global $wpdb;
		$wpdb->query( 'DELETE FROM ' . Pressbell_Nudges::table() );
		wp_update_post( array( 'ID' => $post, 'post_status' => 'draft' ) );
		wp_publish_post( $post );
		$this->run_cron();
		$this->assertSame( 'left', $this->state( $post ) );
		$this->assertCount( 0, $this->requests );
	}

	/**
	 * Posts that never notify readers.
	 *
	 * @return array[]
	 */
	public function quiet() {
		return array(
			'an old date' => array( array( 'post_date' => '2020-01-01 10:00:00' ) ),
			'a password'  => array( array( 'post_password' => 'secret' ) ),
		);
	}

	/**
	 * @dataProvider quiet
	 */
	public function test_a_post_that_is_no_news_is_left( $fields ) {
		$post = $this->post( $fields );
		$this->run_cron();
		$this->assertSame( 'left', $this->state( $post ) );
		$this->assertCount( 0, $this->requests );
	}

	public function test_a_bulk_edit_never_nudges() {
		$_REQUEST['bulk_edit'] = 'Update';
		$post                  = $this->post();
		unset( $_REQUEST['bulk_edit'] );
		$this->run_cron();
		$this->assertSame( 'left', $this->state( $post ) );
		$this->assertCount( 0, $this->requests );
	}

	public function test_a_quick_edit_nudges_at_a_first_publication_and_never_again() {
		// What wp_ajax_inline_save does with the form of the list.
		$quick_edit = static function ( $post, $status ) {
			$_POST = array( 'action' => 'inline-save', 'post_ID' => $post, 'post_type' => 'post', 'post_view' => 'list', '_status' => $status, 'post_status' => $status, 'post_title' => "Now $status" );
			edit_post();
			$_POST = array();
		};
		$post       = $this->post( array( 'post_status' => 'draft' ) );
		$quick_edit( $post, 'publish' );
		$this->run_cron();
		$this->assertSame( 'sent', $this->state( $post ) );
		$this->assertSame( 'url', $this->requests_of( '/campaigns' )[0]['body']['mode'] );
		foreach ( array( 'publish', 'draft', 'publish' ) as $status ) {
			$quick_edit( $post, $status );
			$this->run_cron();
		}
		$this->assertCount( 1, $this->requests_of( '/send' ) );
	}

	/**
	 * @runInSeparateProcess
	 * @preserveGlobalState disabled
	 */
	public function test_an_import_never_nudges() {
		define( 'WP_IMPORTING', true );
		$post = $this->post();
		$this->run_cron();
		$this->assertSame( 'left', $this->state( $post ) );
		$this->assertCount( 0, $this->requests );
	}

	public function test_a_draft_that_a_workflow_plugin_publishes_is_news() {
		$post = $this->post( array( 'post_status' => 'draft' ) );
		$this->assertSame( '0000-00-00 00:00:00', get_post( $post )->post_date_gmt );
		wp_publish_post( $post );
		$this->run_cron();
		$this->assertSame( 'sent', $this->state( $post ) );
	}

	public function test_pages_drafts_and_never_chosen_posts_do_not_nudge() {
		$this->post( array( 'post_type' => 'page' ) );
		$this->post( array( 'post_status' => 'draft' ) );
		$never = $this->post_with( array( 'choice' => 'never' ) );
		$this->run_cron();
		$this->assertSame( 'left', $this->state( $never ) );
		$this->assertCount( 0, $this->requests );
	}

	public function test_a_scheduled_post_nudges_when_it_is_published() {
		$post = $this->post( array( 'post_status' => 'future', 'post_date' => wp_date( 'Y-m-d H:i:s', time() + 3600 ) ) );
		$this->run_cron();
		$this->assertSame( 'none', $this->state( $post ) );
		wp_publish_post( $post );
		$this->run_cron();
		$this->assertSame( 'sent', $this->state( $post ) );
	}

	public function test_the_nudge_waits_for_the_box_that_the_editor_saves_after_the_publication() {
		$_POST = array( Pressbell_Box::NONCE => wp_create_nonce( Pressbell_Box::NONCE ) );
		$post  = $this->post();
		$this->run_cron();
		$this->assertCount( 0, $this->requests );
		$_POST += array( 'post_ID' => $post, 'pressbell_choice' => 'always', 'pressbell_title' => 'It\\\'s "open"', 'pressbell_text' => '' );
		Pressbell_Box::save( $post );
		$this->run_cron();
		list( $create ) = $this->requests_of( '/campaigns' );
		$this->assertSame( array( 'manual', 'It\'s "open"', 'On Saturday.' ), array( $create['body']['mode'], $create['body']['title'], $create['body']['body'] ) );
	}

	public function test_the_box_is_not_saved_without_nonce_or_right() {
		$post  = $this->post( array( 'post_status' => 'draft' ) );
		$_POST = array( 'post_ID' => $post, 'pressbell_choice' => 'never', Pressbell_Box::NONCE => 'wrong' );
		Pressbell_Box::save( $post );
		wp_set_current_user( 0 );
		$_POST[ Pressbell_Box::NONCE ] = wp_create_nonce( Pressbell_Box::NONCE );
		Pressbell_Box::save( $post );
		$this->assertSame( '', Pressbell_Campaign::chosen( $post )['choice'] );
	}

	public function test_a_picture_whose_address_has_a_space_does_not_keep_the_nudge_back() {
		$picture = static function () {
			return 'https://cdn.example/the bridge.jpg';
		};
		add_filter( 'post_thumbnail_url', $picture );
		$this->post_with( array( 'choice' => 'always' ), array( 'meta_input' => array( '_thumbnail_id' => 7 ) ) );
		$this->run_cron();
		remove_filter( 'post_thumbnail_url', $picture );
		$this->assertSame( 'https://cdn.example/the%20bridge.jpg', $this->requests_of( '/campaigns' )[0]['body']['imageUrl'] );
	}

	public function test_a_long_text_is_cut_where_php_has_no_mbstring_too() {
		$code    = sprintf( 'require %s; echo extension_loaded( "mbstring" ) ? "loaded" : Pressbell_Campaign::plain( str_repeat( "über ", 60 ), 240 );', var_export( ABSPATH . 'wp-load.php', true ) );
		$command = array( PHP_BINARY, '-n', '-d', 'extension=mysqlnd', '-d', 'extension=mysqli', '-r', $code );
		exec( implode( ' ', array_map( 'escapeshellarg', $command ) ), $lines );
		$this->assertSame( rtrim( str_repeat( 'über ', 47 ) ) . '…', implode( "\n", $lines ) );
	}

	public function test_categories_with_a_topic_go_to_its_readers() {
		Pressbell_Settings::save( array( 'topics' => array( 1 => self::TOPIC, 2 => 'no id' ) ) );
		$this->post( array( 'post_category' => array( 1 ) ) );
		$this->run_cron();
		$this->assertSame( array( self::TOPIC ), $this->requests_of( '/campaigns' )[0]['body']['topicIds'] );
	}

	public function test_only_one_of_two_processes_takes_a_post() {
		$post = $this->post();
		$this->assertFalse( Pressbell_Nudges::claim( $post, 'waiting' ) );
		$this->assertTrue( Pressbell_Nudges::take( $post, 180 ) );
		$this->assertFalse( Pressbell_Nudges::take( $post, 180 ) );
	}
}
