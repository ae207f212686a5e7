<?php
/**
 * Tests of who may notify readers, and to which address the key goes.
 *
 * @package Pressbell
 */

/**
 * Notifying all readers is a capability of its own.
 */
final class RightsTest extends Pressbell_Test_Case { // phpcs:ignore

	/** Users by role. @var int[] */
	private $users = array();

	/**
	 * Adds a user of each role.
	 */
	protected function setUp(): void {
		parent::setUp();
		foreach ( array( 'subscriber', 'author', 'editor' ) as $role ) {
			$this->users[ $role ] = wp_insert_user( array( 'user_login' => "a-$role", 'user_pass' => 'correct horse battery', 'role' => $role ) );
		}
	}

	/**
	 * Takes the users away.
	 */
	protected function tearDown(): void {
		wp_set_current_user( 1 );
		array_map( 'wp_delete_user', $this->users );
		parent::tearDown();
	}

	/**
	 * Acts as a user.
	 *
	 * @param string $role Role; empty for nobody.
	 */
	private function be( $role ) {
		wp_set_current_user( '' === $role ? 0 : $this->users[ $role ] );
	}

	/**
	 * Schedules a post of the author, as a user, and lets its time come.
	 *
	 * @param string $by Role of who schedules it.
	 * @return int
	 */
	private function scheduled_by( $by ) {
		$this->be( $by );
		$post = $this->post( array( 'post_status' => 'future', 'post_author' => $this->users['author'], 'post_date' => wp_date( 'Y-m-d H:i:s', time() + HOUR_IN_SECONDS ) ) );
		global $wpdb;
		$past = time() - MINUTE_IN_SECONDS;
		$wpdb->update( $wpdb->posts, array( 'post_date' => wp_date( 'Y-m-d H:i:s', $past ), 'post_date_gmt' => gmdate( 'Y-m-d H:i:s', $past ) ), array( 'ID' => $post ) );
		clean_post_cache( $post );
		return $post;
	}

	public function test_editors_and_administrators_have_the_capability_and_no_other_role() {
		$roles = array_keys(
			array_filter(
				wp_roles()->role_objects, static function ( $role ) {
					return $role->has_cap( 'pressbell_send' );
				}
			)
		);
		sort( $roles );
		$this->assertSame( array( 'administrator', 'editor' ), $roles );
	}

	public function test_what_a_person_takes_away_from_a_role_stays_away() {
		get_role( 'editor' )->remove_cap( 'pressbell_send' );
		Pressbell_Rights::grant();
		do_action( 'activate_pressbell/pressbell.php', false );
		$this->assertFalse( get_role( 'editor' )->has_cap( 'pressbell_send' ) );
		get_role( 'editor' )->add_cap( 'pressbell_send' );
	}

	public function test_the_publication_of_an_author_notifies_nobody_and_that_of_an_editor_does() {
		$this->be( 'author' );
		$post = $this->post( array( 'post_author' => $this->users['author'] ) );
		$this->run_cron();
		$this->assertSame( array( 'left', 'No notification. Who published or scheduled it may not notify readers.' ), array( $this->state( $post ), Pressbell_Rest::state( $post )['said'] ) );
		$this->assertCount( 0, $this->requests );
		$draft = $this->post( array( 'post_status' => 'draft', 'post_author' => $this->users['author'] ) );
		$this->be( 'editor' );
		wp_publish_post( $draft );
		$this->run_cron();
		$this->assertSame( 'sent', $this->state( $draft ) );
	}

	public function test_a_member_of_another_role_may_send_once_it_is_given_the_capability() {
		get_user_by( 'id', $this->users['author'] )->add_cap( 'pressbell_send' );
		$this->be( 'author' );
		$post = $this->post();
		$this->run_cron();
		$this->assertSame( 'sent', $this->state( $post ) );
	}

	/**
	 * Who schedules a post, in whose request it is published, and what becomes of it.
	 *
	 * @return array[]
	 */
	public function schedules() {
		return array(
			'an author'                              => array( 'author', '', 'left' ),
			'an editor'                              => array( 'editor', '', 'sent' ),
			'an editor, in a visit of a subscriber'  => array( 'editor', 'subscriber', 'sent' ),
			'an author, in a visit of a subscriber'  => array( 'author', 'subscriber', 'left' ),
			'an author, and an editor publishes now' => array( 'author', 'editor', 'sent' ),
			'a command, for an author'               => array( '', '', 'left' ),
		);
	}

	/**
	 * @dataProvider schedules
	 */
	public function test_a_scheduled_post_notifies_if_who_scheduled_it_may( $by, $in, $state ) {
		$post = $this->scheduled_by( $by );
		$this->be( $in );
		check_and_publish_future_post( $post );
		$this->run_cron();
		$this->assertSame( $state, $this->state( $post ) );
	}

	public function test_wp_cron_in_the_request_of_an_editor_does_not_send_what_an_author_has_scheduled() {
		$post = $this->scheduled_by( 'author' );
		$this->be( 'editor' );
		add_filter( 'wp_doing_cron', '__return_true' );
		check_and_publish_future_post( $post );
		remove_filter( 'wp_doing_cron', '__return_true' );
		$this->run_cron();
		$this->assertSame( 'left', $this->state( $post ) );
	}

	public function test_a_post_that_an_author_schedules_anew_is_no_longer_an_editors() {
		$post = $this->scheduled_by( 'editor' );
		$this->be( 'author' );
		wp_update_post( array( 'ID' => $post, 'post_status' => 'draft' ) );
		wp_update_post( array( 'ID' => $post, 'post_status' => 'future', 'edit_date' => true, 'post_date' => wp_date( 'Y-m-d H:i:s', time() + HOUR_IN_SECONDS ) ) );
		$this->be( '' );
		wp_publish_post( $post );
		$this->run_cron();
		$this->assertSame( 'left', $this->state( $post ) );
	}

	public function test_without_a_user_the_author_of_a_post_decides_also_for_a_copy_of_a_scheduled_one() {
		$scheduled = $this->scheduled_by( 'editor' );
		$copy      = $this->post( array( 'post_status' => 'future', 'post_author' => $this->users['author'], 'post_date' => wp_date( 'Y-m-d H:i:s', time() + HOUR_IN_SECONDS ) ) );
		update_post_meta( $copy, Pressbell_Rights::SCHEDULED, get_post_meta( $scheduled, Pressbell_Rights::SCHEDULED, true ) );
		$this->be( '' );
		wp_publish_post( $copy );
		$by_editor = $this->post( array( 'post_author' => $this->users['editor'] ) );
		$this->run_cron();
		$this->assertSame( array( 'left', 'sent' ), array( $this->state( $copy ), $this->state( $by_editor ) ) );
	}

	public function test_the_box_is_there_only_for_those_who_may_send_and_nobody_else_saves_it() {
		global $wp_meta_boxes;
		$boxes = function ( $role ) {
			global $wp_meta_boxes;
			$this->be( $role );
			$wp_meta_boxes = array(); // phpcs:ignore -- of this test.
			Pressbell_Box::add();
			return isset( $wp_meta_boxes['post']['side']['high']['pressbell'] );
		};
		set_current_screen( 'post' );
		$this->assertSame( array( false, true ), array( $boxes( 'author' ), $boxes( 'editor' ) ) );
		$wp_meta_boxes = array(); // phpcs:ignore -- of this test.
		$post          = $this->post( array( 'post_status' => 'draft', 'post_author' => $this->users['author'] ) );
		foreach ( array( 'author' => '', 'editor' => 'always' ) as $role => $chosen ) {
			$this->be( $role );
			$_POST = array( Pressbell_Box::NONCE => wp_create_nonce( Pressbell_Box::NONCE ), 'post_ID' => $post, 'pressbell_choice' => 'always', 'pressbell_title' => 'Mine' );
			Pressbell_Box::save( $post );
			$this->assertSame( $chosen, Pressbell_Campaign::chosen( $post )['choice'] );
		}
		$_POST = array();
	}

	public function test_the_routes_of_the_box_are_for_those_who_may_send() {
		$post   = $this->post( array( 'post_status' => 'draft', 'post_author' => $this->users['author'] ) );
		$status = function ( $role, $method, $path ) use ( $post ) {
			$this->be( $role );
			return rest_do_request( new WP_REST_Request( $method, "/pressbell/v1/posts/$post$path" ) )->get_status();
		};
		foreach ( array( array( 'GET', '' ), array( 'POST', '/preview' ) ) as list( $method, $path ) ) {
			$this->assertSame( array( 403, 200, 401 ), array( $status( 'author', $method, $path ), $status( 'editor', $method, $path ), $status( '', $method, $path ) ) );
		}
	}

	public function test_the_command_sends_for_who_runs_it_on_the_server_and_for_no_user_without_the_capability() {
		$this->be( 'author' );
		$post = $this->post();
		Pressbell_Nudges::change( $post, array( 'state' => 'failed' ) );
		$command = new Pressbell_CLI();
		foreach ( array( 'author' => 'Error: This user may not notify readers', '' => 'Success: Sent to' ) as $role => $begin ) {
			$this->be( $role );
			WP_CLI::$lines = array();
			$command->nudge( array( (string) $post ) );
			$this->assertStringStartsWith( $begin, implode( WP_CLI::$lines ) );
		}
	}

	/**
	 * Addresses of a service, and whether they are saved.
	 *
	 * @return array[]
	 */
	public function addresses() {
		return array(
			array( 'https://push.example.org', true ),
			array( 'https://push.example.org:8443/base/', true ),
			array( 'http://localhost:8080', true ),
			array( 'http://push.localhost', true ),
			array( 'http://127.0.0.1:8080', true ),
			array( 'http://[::1]:8080', true ),
			array( '', true ),
			array( 'http://push.example.org', false ),
			array( 'http://localhost.example.org', false ),
			array( 'http://127.0.0.1.example.org', false ),
			array( 'http://127.0.0.1@example.org', false ),
			array( 'http://192.168.0.1', false ),
			array( 'push.example.org', false ),
		);
	}

	/**
	 * @dataProvider addresses
	 */
	public function test_the_address_of_the_service_is_https_or_on_this_machine( $url, $is_saved ) {
		$before = Pressbell_Settings::all()['url'];
		$this->assertSame( $is_saved, Pressbell_Settings::save( array( 'url' => $url ) ) );
		$this->assertSame( $is_saved ? untrailingslashit( $url ) : $before, Pressbell_Settings::all()['url'] );
	}

	public function test_the_settings_page_says_why_an_address_was_not_saved_and_the_key_goes_to_none_that_is_not_https() {
		$_GET['unsafe'] = '1';
		ob_start();
		Pressbell_Settings_Page::show();
		$this->assertStringContainsString( 'The address of the service was not saved: it must begin with https://', ob_get_clean() );
		unset( $_GET['unsafe'] );
		$this->requests = array();
		update_option( Pressbell_Settings::OPTION, array( 'url' => 'http://push.example.org' ) + Pressbell_Settings::all() );
		$answer = Pressbell_API::call( 'GET', '/v1/runs/r1' );
		$this->assertSame( 'not_https', $answer->get_error_code() );
		$this->assertCount( 0, $this->requests );
	}
}
