<?php
/**
 * The box in the editor.
 *
 * @package Pressbell
 */

defined( 'ABSPATH' ) || exit;

/**
 * A meta box, which both editors have.
 */
final class Pressbell_Box {

	const NONCE = 'pressbell_box';

	/** The longest title and text, in characters. */
	const LIMITS = array(
		'title' => 120,
		'text'  => 240,
	);

	/**
	 * Hooks in.
	 */
	public static function listen() {
		add_action( 'add_meta_boxes', array( __CLASS__, 'add' ) );
		add_action( 'save_post', array( __CLASS__, 'save' ) );
		add_action( 'admin_enqueue_scripts', array( __CLASS__, 'add_script' ) );
	}

	/**
	 * Adds the box to the types of posts that notify readers, for those who may.
	 */
	public static function add() {
		if ( ! Pressbell_Rights::may_send() ) {
			return;
		}
		add_meta_box( 'pressbell', __( 'Pressbell: notify readers', 'pressbell' ), array( __CLASS__, 'show' ), Pressbell_Settings::all()['post_types'], 'side', 'high' );
	}

	/**
	 * Adds the box's script to the editor.
	 *
	 * @param string $page Page of the dashboard.
	 */
	public static function add_script( $page ) {
		if ( Pressbell_Rights::may_send() && in_array( $page, array( 'post.php', 'post-new.php' ), true ) && in_array( get_post_type(), Pressbell_Settings::all()['post_types'], true ) ) {
			wp_enqueue_script( 'pressbell-box', plugins_url( 'assets/box.js', PRESSBELL_FILE ), array( 'wp-api-fetch' ), PRESSBELL_VERSION, true );
		}
	}

	/**
	 * Shows the box, without a call of the service: the script then asks for counts and names of topics.
	 *
	 * @param WP_Post $post Post.
	 */
	public static function show( $post ) {
		$nudge   = Pressbell_Nudges::read( $post->ID );
		$is_open = ! $nudge || in_array( $nudge->state, array( 'waiting', 'withdrawn' ), true );
		$chosen  = Pressbell_Campaign::choice( $post->ID );
		$choices = array(
			'auto'   => __( 'If Pressbell advises it', 'pressbell' ),
			'always' => __( 'In any case', 'pressbell' ),
			'never'  => __( 'No notification', 'pressbell' ),
		);
		wp_nonce_field( self::NONCE, self::NONCE );
		printf( '<div id="pressbell-box" data-post="%d" data-words="%s">', absint( $post->ID ), esc_attr( (string) wp_json_encode( self::words() ) ) );
		printf( '<p role="status" class="pressbell-state">%s</p>', esc_html( $nudge ? Pressbell_Rest::said( $nudge ) : __( 'Readers are notified once, when the post is first published.', 'pressbell' ) ) );
		printf( '<fieldset class="pressbell-choices"%s><legend class="screen-reader-text">%s</legend>', disabled( $is_open, false, false ), esc_html__( 'Notification', 'pressbell' ) );
		foreach ( $choices as $value => $label ) {
			printf( '<p><label><input type="radio" name="pressbell_choice" value="%s"%s> %s</label></p>', esc_attr( $value ), checked( $chosen, $value, false ), esc_html( $label ) );
		}
		self::show_text( $post->ID, 'title', __( 'Title', 'pressbell' ) );
		self::show_text( $post->ID, 'text', __( 'Text', 'pressbell' ) );
		echo '</fieldset>';
		printf( '<p class="pressbell-topics">%s</p>', esc_html( self::topics( $post->ID, get_transient( 'pressbell_topics' ) ) ) );
		printf( '<p><button type="button" class="button pressbell-preview">%s</button></p><div class="pressbell-decision" role="status"></div></div>', esc_html__( 'What does Pressbell say?', 'pressbell' ) );
	}

	/**
	 * Saves the box. The block editor does so in a request after the one that publishes.
	 *
	 * @param int $post_id Post.
	 */
	public static function save( $post_id ) {
		$nonce = isset( $_POST[ self::NONCE ] ) ? sanitize_text_field( wp_unslash( $_POST[ self::NONCE ] ) ) : '';
		if ( ! wp_verify_nonce( $nonce, self::NONCE ) || wp_is_post_revision( $post_id ) || wp_is_post_autosave( $post_id ) || ! current_user_can( 'edit_post', $post_id ) || ! Pressbell_Rights::may_send() ) {
			return;
		}
		// A list of posts that is edited at once has no box; neither has another post that is saved with this one.
		if ( ! isset( $_POST['post_ID'] ) || absint( $_POST['post_ID'] ) !== $post_id ) {
			return;
		}
		if ( isset( $_POST['pressbell_choice'] ) ) {
			$chosen = array( 'choice' => Pressbell_Settings::choice( sanitize_key( $_POST['pressbell_choice'] ) ) );
			foreach ( self::LIMITS as $name => $limit ) {
				$value           = isset( $_POST[ "pressbell_$name" ] ) ? sanitize_text_field( wp_unslash( $_POST[ "pressbell_$name" ] ) ) : '';
				$chosen[ $name ] = mb_substr( $value, 0, $limit );
			}
			Pressbell_Campaign::choose( $post_id, $chosen );
		}
		Pressbell_Publisher::on_box_saved( $post_id );
	}

	/**
	 * Shows a field.
	 *
	 * @param int    $post_id Post.
	 * @param string $name    Of the field.
	 * @param string $label   Label.
	 */
	private static function show_text( $post_id, $name, $label ) {
		printf(
			'<p><label for="pressbell_%1$s">%2$s</label><br><input type="text" class="widefat" id="pressbell_%1$s" name="pressbell_%1$s" maxlength="%3$d" value="%4$s" placeholder="%5$s"></p>',
			esc_attr( $name ),
			esc_html( $label ),
			absint( self::LIMITS[ $name ] ),
			esc_attr( Pressbell_Campaign::chosen( $post_id )[ $name ] ),
			esc_attr__( 'As in the post', 'pressbell' )
		);
	}

	/**
	 * Who gets the notification, by the categories as they are saved.
	 *
	 * @param int            $post_id Post.
	 * @param array|WP_Error $names   By topic id; without these it says the ids.
	 * @return string
	 */
	public static function topics( $post_id, $names ) {
		$ids = Pressbell_Campaign::topics( $post_id );
		if ( ! $ids ) {
			return __( 'Goes to all readers.', 'pressbell' );
		}
		$names = is_array( $names ) ? array_intersect_key( $names, array_flip( $ids ) ) : array();
		/* translators: %s: names of topics. */
		return sprintf( __( 'Goes to readers of: %s', 'pressbell' ), implode( ', ', $names ? $names : $ids ) );
	}

	/**
	 * The words of the script.
	 *
	 * @return string[]
	 */
	private static function words() {
		return array(
			'send'    => __( 'Pressbell would send it.', 'pressbell' ),
			'skip'    => __( 'Pressbell would not send it.', 'pressbell' ),
			/* translators: %s: a number. */
			'readers' => __( 'Readers who can be reached: %s', 'pressbell' ),
		);
	}
}
