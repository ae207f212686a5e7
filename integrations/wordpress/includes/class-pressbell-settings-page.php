<?php
/**
 * The page Settings → Pressbell.
 *
 * @package Pressbell
 */

defined( 'ABSPATH' ) || exit;

/**
 * Shows and saves the settings, and tries the connection.
 */
final class Pressbell_Settings_Page {

	const PAGE = 'pressbell';

	/**
	 * Hooks in.
	 */
	public static function listen() {
		add_action( 'admin_menu', array( __CLASS__, 'add' ) );
		add_action( 'admin_post_pressbell_save', array( __CLASS__, 'save' ) );
	}

	/**
	 * Adds the page to the menu.
	 */
	public static function add() {
		add_options_page( 'Pressbell', 'Pressbell', 'manage_options', self::PAGE, array( __CLASS__, 'show' ) );
	}

	/**
	 * Saves the form.
	 */
	public static function save() {
		if ( ! current_user_can( 'manage_options' ) ) {
			wp_die( esc_html__( 'You may not change these settings.', 'pressbell' ), '', array( 'response' => 403 ) );
		}
		check_admin_referer( 'pressbell_save' );
		$given = array();
		foreach ( array( 'url', 'tenant', 'site', 'choice', 'key' ) as $name ) {
			if ( isset( $_POST[ 'pressbell_' . $name ] ) ) {
				$given[ $name ] = sanitize_text_field( wp_unslash( $_POST[ 'pressbell_' . $name ] ) );
			}
		}
		$given['post_types'] = isset( $_POST['pressbell_post_types'] ) ? array_map( 'sanitize_key', (array) wp_unslash( $_POST['pressbell_post_types'] ) ) : array();
		if ( isset( $_POST['pressbell_topics'] ) ) {
			$given['topics'] = array_map( 'sanitize_text_field', (array) wp_unslash( $_POST['pressbell_topics'] ) );
		}
		$is_saved = Pressbell_Settings::save( $given );
		wp_safe_redirect( admin_url( 'options-general.php?page=' . self::PAGE . ( $is_saved ? '&tested=1' : '&unsafe=1' ) ) );
		exit;
	}

	/**
	 * Shows the page.
	 */
	public static function show() {
		$all = Pressbell_Settings::all();
		echo '<div class="wrap"><h1>Pressbell</h1>';
		// The test runs after each save; the link below runs it again.
		if ( isset( $_GET['tested'] ) ) { // phpcs:ignore -- shows something only.
			self::show_test();
		}
		if ( isset( $_GET['unsafe'] ) ) { // phpcs:ignore -- shows something only.
			printf( '<div class="notice notice-error"><p>%s</p></div>', esc_html__( 'The address of the service was not saved: it must begin with https://, or others could read the API key on its way. Only a service on this machine may have http://.', 'pressbell' ) );
		}
		printf( '<form method="post" action="%s"><input type="hidden" name="action" value="pressbell_save">', esc_url( admin_url( 'admin-post.php' ) ) );
		wp_nonce_field( 'pressbell_save' );
		echo '<table class="form-table" role="presentation">';
		self::show_field( 'url', __( 'Address of the service', 'pressbell' ), 'url', $all['url'], __( 'Such as https://push.example.org', 'pressbell' ) );
		self::show_field( 'tenant', __( 'Tenant', 'pressbell' ), 'text', $all['tenant'], __( 'The data-tenant of the install snippet', 'pressbell' ) );
		self::show_field( 'site', __( 'Site', 'pressbell' ), 'text', $all['site'], __( 'The data-site of the install snippet', 'pressbell' ) );
		self::show_field( 'key', __( 'API key', 'pressbell' ), 'password', '', self::hint_of_key() );
		self::show_choices( $all );
		self::show_topics( $all['topics'] );
		echo '</table>';
		submit_button( __( 'Save and test', 'pressbell' ) );
		printf( '</form><p><a href="%s">%s</a></p></div>', esc_url( add_query_arg( 'tested', '1', menu_page_url( self::PAGE, false ) ) ), esc_html__( 'Test the connection', 'pressbell' ) );
	}

	/**
	 * Tries the connection and says what came of it.
	 */
	private static function show_test() {
		$site = Pressbell_API::site();
		if ( is_wp_error( $site ) ) {
			printf( '<div class="notice notice-error"><p>%s</p></div>', esc_html( $site->get_error_message() ) );
			return;
		}
		/* translators: 1: name of the site at Pressbell, 2: its address. */
		$said = sprintf( __( 'Connected with the site “%1$s” (%2$s).', 'pressbell' ), $site['name'], $site['url'] );
		printf( '<div class="notice notice-success"><p>%s</p></div>', esc_html( $said ) );
		if ( wp_parse_url( $site['url'], PHP_URL_HOST ) !== wp_parse_url( home_url(), PHP_URL_HOST ) ) {
			printf( '<div class="notice notice-warning"><p>%s</p></div>', esc_html__( 'This blog has another address. Add it to the further origins of the site, or readers cannot subscribe here.', 'pressbell' ) );
		}
	}

	/**
	 * What the field of the key says. The key itself is never shown.
	 *
	 * @return string
	 */
	private static function hint_of_key() {
		if ( '' === get_option( Pressbell_Settings::KEY, '' ) ) {
			return __( 'From the dashboard, with the scopes preview, draft, send and read', 'pressbell' );
		}
		return null === Pressbell_Settings::key()
			? __( 'The saved key cannot be read, as the salts in wp-config.php have changed. Enter it again.', 'pressbell' )
			: __( 'A key is saved. Leave this empty to keep it.', 'pressbell' );
	}

	/**
	 * Shows a field.
	 *
	 * @param string $name  Of the setting.
	 * @param string $label Label.
	 * @param string $type  Of the input.
	 * @param string $value Value.
	 * @param string $hint  Below it.
	 */
	private static function show_field( $name, $label, $type, $value, $hint ) {
		printf(
			'<tr><th scope="row"><label for="pressbell_%1$s">%2$s</label></th><td><input class="regular-text" id="pressbell_%1$s" name="pressbell_%1$s" type="%3$s" value="%4$s" autocomplete="off"><p class="description">%5$s</p></td></tr>',
			esc_attr( $name ),
			esc_html( $label ),
			esc_attr( $type ),
			esc_attr( $value ),
			esc_html( $hint )
		);
	}

	/**
	 * Shows what posts do whose editor has not chosen, and which posts.
	 *
	 * @param array $all Settings.
	 */
	private static function show_choices( $all ) {
		$choices = array(
			'auto'   => __( 'Notify readers if Pressbell advises it', 'pressbell' ),
			'always' => __( 'Notify readers in any case', 'pressbell' ),
			'never'  => __( 'Notify readers only if the editor chooses it', 'pressbell' ),
		);
		printf( '<tr><th scope="row"><label for="pressbell_choice">%s</label></th><td><select id="pressbell_choice" name="pressbell_choice">', esc_html__( 'New posts', 'pressbell' ) );
		foreach ( $choices as $value => $label ) {
			printf( '<option value="%s"%s>%s</option>', esc_attr( $value ), selected( $all['choice'], $value, false ), esc_html( $label ) );
		}
		printf( '</select></td></tr><tr><th scope="row">%s</th><td>', esc_html__( 'Types of posts', 'pressbell' ) );
		foreach ( Pressbell_Settings::post_types() as $type ) {
			printf( '<label><input type="checkbox" name="pressbell_post_types[]" value="%s"%s> %s</label><br>', esc_attr( $type ), checked( in_array( $type, $all['post_types'], true ), true, false ), esc_html( get_post_type_object( $type )->labels->name ) );
		}
		echo '</td></tr>';
	}

	/**
	 * Shows the topic of each category, once the topics are known.
	 *
	 * @param string[] $chosen Topic ids by category.
	 */
	private static function show_topics( $chosen ) {
		$topics = Pressbell_Settings::are_complete() ? Pressbell_API::topics() : array();
		if ( is_wp_error( $topics ) || array() === $topics ) {
			return;
		}
		printf( '<tr><th scope="row">%s</th><td><p class="description">%s</p>', esc_html__( 'Topics', 'pressbell' ), esc_html__( 'A post in a category with a topic goes to the readers of that topic only.', 'pressbell' ) );
		foreach ( get_categories( array( 'hide_empty' => false ) ) as $category ) {
			printf( '<p><label>%s <select name="pressbell_topics[%d]"><option value="">%s</option>', esc_html( $category->name ), absint( $category->term_id ), esc_html__( 'no topic', 'pressbell' ) );
			foreach ( $topics as $id => $name ) {
				$is_chosen = isset( $chosen[ $category->term_id ] ) && $chosen[ $category->term_id ] === $id;
				printf( '<option value="%s"%s>%s</option>', esc_attr( $id ), selected( $is_chosen, true, false ), esc_html( $name ) );
			}
			echo '</select></label></p>';
		}
		echo '</td></tr>';
	}
}
