<?php
/**
 * Tests of whether a post is public, with the web server of this WordPress.
 *
 * @package Pressbell
 */

/**
 * A post is public if its own page answers.
 */
final class PermalinkTest extends Pressbell_Test_Case { // phpcs:ignore

	/** The web server. @var resource */
	private static $server;

	/** Its messages. @var resource */
	private static $messages;

	/**
	 * Starts the web server at the address of the site.
	 */
	public static function setUpBeforeClass(): void {
		$address      = '127.0.0.1:' . wp_parse_url( home_url(), PHP_URL_PORT );
		$command      = array( PHP_BINARY, '-S', $address, '-t', ABSPATH, __DIR__ . '/router.php' );
		self::$server = proc_open( $command, array( array( 'file', '/dev/null', 'r' ), array( 'file', '/dev/null', 'w' ), array( 'pipe', 'w' ) ), $pipes );
		// It says when it has started; later messages must not fill the pipe.
		self::$messages = $pipes[2];
		self::assertStringContainsString( 'started', (string) fgets( self::$messages ) );
	}

	/**
	 * Stops it.
	 */
	public static function tearDownAfterClass(): void {
		proc_terminate( self::$server );
		fclose( self::$messages );
		proc_close( self::$server );
	}

	/**
	 * Lets WordPress ask for pages.
	 */
	protected function setUp(): void {
		parent::setUp();
		$this->answers['page'] = null;
	}

	/**
	 * Takes what a test has set away.
	 */
	protected function tearDown(): void {
		parent::tearDown();
		$this->redirect( null );
		remove_all_filters( 'post_link' );
		$this->use_permalinks( '' );
	}

	/**
	 * Lets all public pages redirect.
	 *
	 * @param string|null $target Where to; null for nowhere.
	 */
	private function redirect( $target ) {
		$file = getenv( 'PRESSBELL_TEST_FOLDER' ) . '/redirect';
		if ( null !== $target ) {
			file_put_contents( $file, $target );
		} elseif ( file_exists( $file ) ) {
			unlink( $file );
		}
	}

	/**
	 * Sets the form of permalinks.
	 *
	 * @param string $structure As in the settings.
	 */
	private function use_permalinks( $structure ) {
		global $wp_rewrite;
		$wp_rewrite->set_permalink_structure( $structure );
		$wp_rewrite->flush_rules( false );
	}

	/**
	 * Pages that answer 200 in the place of the post.
	 *
	 * @return array[]
	 */
	public function other_pages() {
		return array(
			'a log-in'           => array( '/wp-login.php?redirect_to=x', '/wp-login.php' ),
			'a coming-soon page' => array( '/?page_id=%d', '/' ),
		);
	}

	/**
	 * @dataProvider other_pages
	 */
	public function test_a_post_whose_page_redirects_to_another_one_waits_until_it_is_public( $target, $said ) {
		$target = sprintf( $target, $this->post( array( 'post_type' => 'page' ) ) );
		$this->redirect( $target );
		$this->assertSame( 200, wp_remote_retrieve_response_code( wp_remote_get( home_url( $target ) ) ) );
		$post = $this->post();
		$this->run_cron();
		$this->assertSame( 'waiting', $this->state( $post ) );
		$this->assertStringContainsString( 'The public page leads to another one: ' . home_url( $said ), Pressbell_Rest::state( $post )['said'] );
		$this->assertCount( 0, $this->requests_of( '/campaigns' ) );
		$this->redirect( null );
		$this->make_due( $post );
		$this->run_cron();
		$this->assertSame( 'sent', $this->state( $post ) );
	}

	public function test_the_redirect_to_the_trailing_slash_that_wordpress_makes_is_the_same_page() {
		$this->use_permalinks( '/%postname%/' );
		add_filter( 'post_link', 'untrailingslashit' );
		$post   = $this->post( array( 'post_title' => 'Brücke öffnet', 'post_name' => 'brücke-öffnet' ) );
		$answer = wp_remote_get( get_permalink( $post ), array( 'redirection' => 0 ) );
		$this->assertSame( 301, wp_remote_retrieve_response_code( $answer ) );
		$this->run_cron();
		$this->assertSame( 'sent', $this->state( $post ) );
	}

	public function test_a_post_that_is_not_there_is_not_public() {
		$this->assertStringContainsString( '(404)', Pressbell_Permalink::look( home_url( '/?p=999999' ) )->get_error_message() );
	}

	/**
	 * Redirects from https://herald.example/bridge/?lang=de, and whether they are of the same page.
	 *
	 * @return array[]
	 */
	public function redirects() {
		return array(
			'to www'                => array( 'https://www.herald.example/bridge/?lang=de', true ),
			'to http'               => array( 'http://herald.example/bridge/?lang=de', true ),
			'to the default port'   => array( 'https://herald.example:443/bridge/?lang=de', true ),
			'without the slash'     => array( '/bridge?lang=de', true ),
			'in other capitals'     => array( 'HTTPS://HERALD.example/%62ridge/?lang=de', true ),
			'to itself, for ever'   => array( 'https://herald.example/bridge/?lang=de', false ),
			'to another host'       => array( 'https://login.herald.example/bridge/?lang=de', false ),
			'to another port'       => array( 'https://herald.example:8443/bridge/?lang=de', false ),
			'to another path'       => array( '/coming-soon/', false ),
			'to another query'      => array( '/bridge/?lang=en', false ),
			'to what is no address' => array( 'http:///', false ),
		);
	}

	/**
	 * @dataProvider redirects
	 */
	public function test_only_redirects_of_scheme_www_and_slash_are_followed( $target, $is_public ) {
		$from   = 'https://herald.example/bridge/?lang=de';
		$answer = static function ( $given, $request, $url ) use ( $from, $target ) {
			return array(
				'response' => array( 'code' => $url === $from ? 301 : 200, 'message' => '' ),
				'headers'  => array( 'location' => $target ),
				'body'     => '',
				'cookies'  => array(),
			);
		};
		add_filter( 'pre_http_request', $answer, 20, 3 );
		$said = Pressbell_Permalink::look( $from );
		remove_filter( 'pre_http_request', $answer, 20 );
		$this->assertSame( $is_public, null === $said );
	}
}
