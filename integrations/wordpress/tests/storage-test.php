<?php
/**
 * Tests of what is stored, shown and left behind.
 *
 * @package Pressbell
 */

/**
 * The key stays on the server, and an uninstallation leaves nothing.
 */
final class StorageTest extends Pressbell_Test_Case { // phpcs:ignore

	public function test_the_key_is_sealed_in_the_database_and_opened_with_the_salts_only() {
		$sealed = get_option( Pressbell_Settings::KEY );
		$this->assertStringNotContainsString( self::SECRET, $sealed . base64_decode( $sealed ) );
		$this->assertSame( self::SECRET, Pressbell_Settings::key() );
		Pressbell_Settings::save( array( 'key' => '' ) );
		$this->assertSame( self::SECRET, Pressbell_Settings::key() );
		add_filter( 'salt', 'strrev' );
		$this->assertNull( Pressbell_Settings::key() );
		remove_filter( 'salt', 'strrev' );
		$this->assertNull( Pressbell_Seal::open( 'damaged' ) );
	}

	public function test_the_settings_page_says_what_the_connection_is_and_never_the_key() {
		$_GET['tested'] = '1';
		ob_start();
		Pressbell_Settings_Page::show();
		$html = ob_get_clean();
		$this->assertStringContainsString( 'Connected with the site “Herald”', $html );
		$this->assertStringContainsString( 'Sport', $html );
		$this->assertStringNotContainsString( self::SECRET, $html );
		$this->answers['/sites?'] = array( 401, array( 'code' => 'unauthorized' ) );
		ob_start();
		Pressbell_Settings_Page::show();
		$this->assertStringContainsString( 'does not know this API key', ob_get_clean() );
		unset( $_GET['tested'] );
	}

	public function test_the_box_escapes_what_it_shows() {
		$post = $this->post_with( array( 'title' => '"><script>alert(1)</script>' ) );
		ob_start();
		Pressbell_Box::show( get_post( $post ) );
		$html = ob_get_clean();
		$this->assertStringNotContainsString( '<script>', $html );
		$this->assertStringContainsString( 'Goes to all readers.', $html );
	}

	/**
	 * A sent post of a category with a topic.
	 *
	 * @return int
	 */
	private function sent_post() {
		Pressbell_Settings::save( array( 'topics' => array( 1 => self::TOPIC ) ) );
		$post = $this->post( array( 'post_category' => array( 1 ) ) );
		$this->run_cron();
		$this->requests = array();
		return $post;
	}

	public function test_the_editor_is_shown_without_a_call_of_the_service() {
		$post = $this->sent_post();
		ob_start();
		Pressbell_Box::show( get_post( $post ) );
		$this->assertStringContainsString( 'Sent.', ob_get_clean() );
		$this->assertCount( 0, $this->requests );
		$state = rest_do_request( new WP_REST_Request( 'GET', "/pressbell/v1/posts/$post" ) )->get_data();
		$this->assertSame( 'Goes to readers of: Sport', $state['topics'] );
	}

	public function test_while_the_service_is_away_the_box_asks_it_once_a_minute_and_waits_for_two_seconds_only() {
		$post = $this->sent_post();
		foreach ( array( '/runs/r1', '/sites?' ) as $name ) {
			$working[ $name ]       = $this->answers[ $name ];
			$this->answers[ $name ] = new WP_Error( 'http', 'timed out' );
		}
		$request = new WP_REST_Request( 'GET', "/pressbell/v1/posts/$post" );
		$this->assertSame( 'Sent.', rest_do_request( $request )->get_data()['said'] );
		$this->assertSame( 'Goes to readers of: ' . self::TOPIC, rest_do_request( $request )->get_data()['topics'] );
		$this->assertSame( array( 2 ), wp_list_pluck( $this->requests, 'timeout' ) );
		$this->assertEqualsWithDelta( time() + 60, get_option( '_transient_timeout_pressbell_away' ), 2 );

		$this->answers = array_merge( $this->answers, $working );
		update_option( '_transient_timeout_pressbell_away', time() - 1 );
		$this->assertStringStartsWith( 'Sent to 1,000 readers', rest_do_request( $request )->get_data()['said'] );
	}

	public function test_a_table_of_an_earlier_version_gets_the_columns_that_it_lacks() {
		global $wpdb;
		$post = $this->post();
		$wpdb->query( 'ALTER TABLE ' . Pressbell_Nudges::table() . ' DROP since, DROP withdrawn_id' );
		update_option( 'pressbell_schema', '1' );
		$this->assertSame( array( '0', '' ), array( Pressbell_Nudges::read( $post )->since, Pressbell_Nudges::read( $post )->withdrawn_id ) );
		$this->run_cron();
		$this->assertSame( 'failed', $this->state( $post ) );
		$this->assertSame( '', $wpdb->last_error );
	}

	public function test_the_rest_routes_answer_those_who_may_edit_the_post_only() {
		$post    = $this->post();
		$preview = new WP_REST_Request( 'POST', "/pressbell/v1/posts/$post/preview" );
		$state   = new WP_REST_Request( 'GET', "/pressbell/v1/posts/$post" );
		$this->run_cron();
		$this->assertSame( array( 'decision' => 'send', 'reasons' => array( 'It is new.' ), 'reachable' => 1234 ), rest_do_request( $preview )->get_data() );
		$this->assertSame( 'Sent to 1,000 readers: 990 accepted, 500 shown, 20 clicked.', rest_do_request( $state )->get_data()['said'] );
		wp_set_current_user( 0 );
		$this->assertSame( array( 401, 401 ), array( rest_do_request( $preview )->get_status(), rest_do_request( $state )->get_status() ) );
	}

	public function test_a_draft_is_not_checked_but_has_an_audience() {
		$draft = $this->post( array( 'post_status' => 'draft' ) );
		$said  = Pressbell_Rest::preview( get_post( $draft ) );
		$this->assertSame( array( null, 1234 ), array( $said['decision'], $said['reachable'] ) );
	}

	public function test_the_page_has_the_script_with_ids_and_a_worker_beside_others() {
		Pressbell_Page::add_script();
		ob_start();
		wp_print_scripts( 'pressbell' );
		$html = ob_get_clean();
		// WordPress 6.3 and later write double quotes.
		$this->assertMatchesRegularExpression( '~src=["\']http://127\.0\.0\.1:8080/sdk/pressbell\.js["\']~', $html );
		$this->assertStringContainsString( 'data-tenant="' . self::TENANT . '" data-site="' . self::SITE . '" data-worker="/?pressbell_worker=1" data-scope="/pressbell/"', $html );
	}

	public function test_a_plugin_of_several_languages_changes_neither_worker_nor_the_name_of_a_post() {
		$name     = Pressbell_Campaign::external_id( 7 );
		$tag      = Pressbell_Page::add_ids( '<script src="x"></script>', 'pressbell' );
		$language = static function ( $url, $path ) {
			return untrailingslashit( get_option( 'home' ) ) . '/en/' . ltrim( $path, '/' );
		};
		add_filter( 'home_url', $language, 10, 2 );
		$this->assertStringContainsString( '/en/', home_url( '/' ) );
		$this->assertSame( $name, Pressbell_Campaign::external_id( 7 ) );
		$this->assertSame( $tag, Pressbell_Page::add_ids( '<script src="x"></script>', 'pressbell' ) );
		remove_filter( 'home_url', $language );
	}

	public function test_the_commands_say_state_and_decision_and_nudge_once() {
		$post    = $this->post();
		$command = new Pressbell_CLI();
		$print   = static function ( $name, $args = array() ) use ( $command ) {
			WP_CLI::$lines = array();
			$command->$name( $args );
			return WP_CLI::$lines;
		};
		$this->assertSame( array( 'site: Herald (http://localhost)', 'waiting: 1' ), $print( 'status' ) );
		$this->assertSame( array( 'decision: send', 'It is new.', 'readers: 1234' ), $print( 'preview', array( $post ) ) );
		$this->run_cron();
		$this->assertSame( array( 'Error: Sent to 1,000 readers: 990 accepted, 500 shown, 20 clicked.' ), $print( 'nudge', array( $post ) ) );
		$this->assertCount( 1, $this->requests_of( '/send' ) );
		$this->answers['page'] = array( 404, '' );
		$failed                = $this->post();
		Pressbell_Nudges::change( $failed, array( 'state' => 'failed' ) );
		$this->answers['page'] = array( 200, '' );
		$this->assertStringStartsWith( 'Success: Sent to', $print( 'nudge', array( $failed ) )[0] );
		$this->assertSame( array( 'Error: There is no such post.' ), $print( 'nudge', array( '999999' ) ) );
	}

	public function test_every_text_is_in_the_template_and_in_german() {
		$folder = dirname( __DIR__ );
		$pot    = tempnam( get_temp_dir(), 'pot' );
		exec( escapeshellarg( "$folder/languages/extract" ) . ' ' . escapeshellarg( $pot ) );
		$texts = static function ( $file ) {
			preg_match_all( '/^msgid .*?(?=^msgstr)/ms', (string) file_get_contents( $file ), $found );
			sort( $found[0] );
			return $found[0];
		};
		$this->assertGreaterThan( 30, count( $texts( $pot ) ) );
		$this->assertSame( $texts( $pot ), $texts( "$folder/languages/pressbell.pot" ) );
		$mo = new MO();
		$this->assertTrue( $mo->import_from_file( "$folder/languages/pressbell-de_DE.mo" ) );
		$this->assertCount( count( $texts( $pot ) ) - 1, array_filter( wp_list_pluck( $mo->entries, 'translations' ) ) );
		unlink( $pot );
	}

	public function test_a_blog_that_is_deleted_takes_its_table_with_it() {
		$this->assertSame( array( 'wp_posts', Pressbell_Nudges::table() ), apply_filters( 'wpmu_drop_tables', array( 'wp_posts' ), 1 ) );
	}

	public function test_an_uninstallation_leaves_nothing() {
		global $wpdb;
		$this->post_with( array( 'choice' => 'always' ) );
		Pressbell_API::topics();
		set_transient( Pressbell_API::AWAY, 'timed out', 60 );
		define( 'WP_UNINSTALL_PLUGIN', 'pressbell/pressbell.php' );
		require dirname( __DIR__ ) . '/uninstall.php';
		wp_cache_flush();
		$this->assertSame( array(), $wpdb->get_col( "SHOW TABLES LIKE '%pressbell%'" ) );
		$this->assertSame( array(), $wpdb->get_col( "SELECT meta_key FROM $wpdb->postmeta WHERE meta_key LIKE '%pressbell%'" ) );
		// WordPress itself keeps which plugins are active until it has removed the files.
		$this->assertSame( array( 'active_plugins' ), $wpdb->get_col( "SELECT option_name FROM $wpdb->options WHERE option_name LIKE '%pressbell%' OR option_value LIKE '%pressbell%'" ) );
	}
}
