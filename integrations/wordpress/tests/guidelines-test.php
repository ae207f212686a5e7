<?php
/**
 * Tests of what the directory of plugins asks for, and its Plugin Check looks at, as far as the sources show it.
 *
 * @package Pressbell
 */

require_once __DIR__ . '/class-pressbell-sources.php';

/**
 * Headers, prefixes, translation, escaping and nonces.
 */
final class GuidelinesTest extends Pressbell_Test_Case { // phpcs:ignore

	const LITERAL = '/^(\'[^\']*\'|"[^"$]*")$/';

	/** What makes a value fit for HTML, or is a number or an attribute of WordPress. */
	const ESCAPED = '/^(esc_(html|attr|url)(__)?|absint|checked|selected|disabled)\(/';

	public function test_no_file_does_anything_when_it_is_asked_for_directly() {
		foreach ( Pressbell_Sources::all() as $file => $source ) {
			$guard = 'uninstall.php' === $file ? 'WP_UNINSTALL_PLUGIN' : 'ABSPATH';
			$this->assertMatchesRegularExpression( "~^<\\?php\n/\\*\\*.*?\\*/\n\ndefined\\( '$guard' \\) \\|\\| exit;\n~s", $source, $file );
		}
	}

	public function test_texts_are_literals_of_the_plugins_domain_and_say_what_their_placeholders_are() {
		$calls = Pressbell_Sources::calls( array( '__', '_e', '_x', '_n', 'esc_html__', 'esc_html_e', 'esc_attr__', 'esc_attr_e' ) );
		$this->assertGreaterThan( 50, count( $calls ) );
		foreach ( $calls as $call ) {
			$this->assertMatchesRegularExpression( self::LITERAL, $call['arguments'][0], $call['at'] );
			$this->assertSame( "'pressbell'", end( $call['arguments'] ), $call['at'] );
			preg_match_all( '/%(\d\$)?[sd]/', $call['arguments'][0], $placeholders );
			if ( $placeholders[0] ) {
				$this->assertStringContainsString( '/* translators: ', $call['before'], $call['at'] );
			}
			if ( count( $placeholders[0] ) > 1 ) {
				$this->assertNotContains( '', $placeholders[1], $call['at'] . ' must number its placeholders' );
			}
		}
	}

	public function test_what_is_printed_is_escaped_where_it_is_printed() {
		$calls = Pressbell_Sources::calls( array( 'printf', 'vprintf', 'print', '_e', 'print_r', 'wp_die' ) );
		$this->assertGreaterThan( 15, count( $calls ) );
		foreach ( $calls as $call ) {
			if ( 'wp_die' !== $call['name'] ) {
				$this->assertSame( 'printf', $call['name'], $call['at'] );
				$this->assertMatchesRegularExpression( self::LITERAL, array_shift( $call['arguments'] ), $call['at'] );
			} else {
				$call['arguments'] = array_slice( $call['arguments'], 0, 1 );
			}
			foreach ( $call['arguments'] as $argument ) {
				$this->assertMatchesRegularExpression( self::ESCAPED, $argument, $call['at'] );
			}
		}
		foreach ( Pressbell_Sources::all() as $file => $source ) {
			// What is not a literal gives a reason.
			preg_match_all( '/^.*\becho (?!\'[^\']*\';$).*$/m', $source, $lines );
			foreach ( $lines[0] as $line ) {
				$this->assertMatchesRegularExpression( '~// phpcs:ignore -- \w~', $line, $file );
			}
		}
	}

	public function test_what_a_form_sends_is_read_after_its_nonce_or_with_a_reason() {
		foreach ( Pressbell_Sources::all() as $file => $source ) {
			foreach ( preg_split( '/^\t(?=(public|private) static function )/m', $source ) as $function ) {
				$is_reader = 1 === preg_match( '/\$_(POST|GET|REQUEST|COOKIE|FILES)\b/', $function );
				if ( $is_reader && ! preg_match( '/wp_verify_nonce\(|check_admin_referer\(/', $function ) ) {
					$this->assertMatchesRegularExpression( '~// phpcs:ignore -- \w~', $function, "$file reads a request without a nonce: $function" );
				}
			}
		}
	}

	public function test_what_all_plugins_share_begins_with_the_plugins_name() {
		foreach ( Pressbell_Sources::all() as $file => $source ) {
			preg_match_all( '/^(?:final |abstract )?(?:class|interface|trait) (\w+)/m', $source, $classes );
			foreach ( $classes[1] as $class ) {
				$this->assertSame( 'includes/class-' . str_replace( '_', '-', strtolower( $class ) ) . '.php', $file );
				$this->assertStringStartsWith( 'Pressbell_', $class );
			}
			preg_match_all( '/^(?:function |\$|define\( \')(\w+)/m', $source, $names );
			foreach ( $names[1] as $name ) {
				$this->assertStringStartsWith( 'pressbell_', strtolower( $name ), $file );
			}
		}
		$named = array( 'apply_filters', 'do_action', 'update_option', 'add_option', 'set_transient', 'wp_enqueue_script', 'wp_schedule_single_event', 'register_rest_route', 'add_meta_box', 'update_post_meta' );
		foreach ( Pressbell_Sources::calls( $named ) as $call ) {
			list( $name )   = array_slice( $call['arguments'], in_array( $call['name'], array( 'wp_schedule_single_event', 'update_post_meta' ), true ) ? 1 : 0 );
			$is_own_literal = 1 === preg_match( '/^\'_?pressbell/', $name );
			$this->assertTrue( $is_own_literal || in_array( $name, array( 'self::OPTION', 'self::KEY', 'self::AWAY', 'self::EVENT', 'self::CHOSEN', 'self::GRANTED', 'self::SCHEDULED' ), true ), $call['at'] . ' ' . $name );
		}
		$own = array( Pressbell_Settings::OPTION, Pressbell_Settings::KEY, Pressbell_API::AWAY, Pressbell_Publisher::EVENT, Pressbell_Campaign::CHOSEN, Pressbell_Rights::GRANTED, Pressbell_Rights::SCHEDULED );
		$this->assertSame( array(), preg_grep( '/^_?pressbell_/', $own, PREG_GREP_INVERT ) );
	}

	public function test_queries_are_prepared_and_no_function_is_one_that_the_directory_refuses() {
		$refused = array( 'eval', 'exec', 'shell_exec', 'system', 'passthru', 'proc_open', 'popen', 'unserialize', 'extract', 'create_function', 'curl_init', 'file_put_contents', 'fopen', 'query_posts', 'error_log', 'var_dump', 'ini_set', 'date_default_timezone_set', 'move_uploaded_file' );
		$this->assertSame( array(), array_column( Pressbell_Sources::calls( $refused ), 'at' ) );
		foreach ( Pressbell_Sources::all() as $file => $source ) {
			preg_match_all( '/\$wpdb->(?:query|get_\w+)\( (?!\$wpdb->prepare\()(.*)$/m', $source, $queries );
			foreach ( $queries[1] as $query ) {
				$this->assertMatchesRegularExpression( '/^"[^"$]*(\{\$wpdb->prefix\}|\$table\b)[^"$]*"/', $query, $file );
			}
		}
	}

	public function test_the_readme_has_the_headers_that_the_directory_asks_for_and_agrees_with_the_plugin() {
		$root   = dirname( __DIR__ ) . '/';
		$names  = array( 'Plugin Name', 'Description', 'Version', 'Requires at least', 'Requires PHP', 'License', 'License URI', 'Text Domain' );
		$plugin = get_file_data( $root . 'pressbell.php', array_combine( $names, $names ) );
		$readme = file_get_contents( $root . 'readme.txt' );
		preg_match_all( '/^([A-Z][A-Za-z ]+): (.+)$/m', (string) strstr( $readme, "\n\n", true ), $lines );
		$headers = array_combine( $lines[1], $lines[2] );
		foreach ( array( 'Requires at least', 'Requires PHP', 'License', 'License URI' ) as $shared ) {
			$this->assertSame( $plugin[ $shared ], $headers[ $shared ] );
		}
		$this->assertSame( array( PRESSBELL_VERSION, PRESSBELL_VERSION, 'pressbell' ), array( $plugin['Version'], $headers['Stable tag'], $plugin['Text Domain'] ) );
		$this->assertStringStartsWith( "=== {$plugin['Plugin Name']} ===\n", $readme );
		$this->assertStringContainsString( '= ' . PRESSBELL_VERSION . " =\n", $readme );
		$this->assertLessThanOrEqual( 5, count( explode( ',', $headers['Tags'] ) ) );
		$this->assertMatchesRegularExpression( '/^\d+\.\d+$/', $headers['Tested up to'] );
		$this->assertTrue( version_compare( $headers['Tested up to'], $headers['Requires at least'], '>=' ) );
		$short = explode( "\n\n", $readme )[1];
		$this->assertSame( $plugin['Description'], $short );
		$this->assertLessThanOrEqual( 150, strlen( $short ) );
	}
}
