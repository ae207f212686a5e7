<?php
/**
 * The campaign of a post.
 *
 * @package Pressbell
 */

defined( 'ABSPATH' ) || exit;

/**
 * Creates and sends the campaign of a post. Both calls carry a key made of blog and post, so that a post is sent at most once,
 * however often this runs and wherever it breaks off.
 */
final class Pressbell_Campaign {

	const CHOSEN = '_pressbell_chosen';

	/**
	 * Keeps what an editor has chosen for one post out of its copies: the plugins that copy posts take all that is stored with
	 * them. Those that can be told leave it out; what others copy names the post that it was written for.
	 */
	public static function listen() {
		// Yoast Duplicate Post.
		add_filter( 'duplicate_post_excludelist_filter', array( __CLASS__, 'leave_out' ) );
		// Post Duplicator.
		add_filter( 'mtphr_post_duplicator_meta_' . self::CHOSEN . '_enabled', '__return_false' );
		// WooCommerce.
		add_filter( 'woocommerce_duplicate_product_exclude_meta', array( __CLASS__, 'leave_out' ) );
	}

	/**
	 * Adds what copies do not get.
	 *
	 * @param mixed $names Names of fields that are not copied.
	 * @return mixed
	 */
	public static function leave_out( $names ) {
		return is_array( $names ) ? array_merge( $names, array( self::CHOSEN ) ) : $names;
	}

	/**
	 * What the editor has chosen for a post, in its box. What was written for another post, or in another blog, counts for nothing.
	 *
	 * @param int $post_id Post.
	 * @return string[] choice, title and text; empty where nothing was chosen.
	 */
	public static function chosen( $post_id ) {
		$none  = array(
			'choice' => '',
			'title'  => '',
			'text'   => '',
		);
		$saved = get_post_meta( $post_id, self::CHOSEN, true );
		if ( ! is_array( $saved ) || ! isset( $saved['post'] ) || self::place( $post_id ) !== $saved['post'] ) {
			return $none;
		}
		return array_map( 'strval', array_intersect_key( $saved, $none ) + $none );
	}

	/**
	 * Saves what the editor has chosen for a post, with the post that it was written for.
	 *
	 * @param int      $post_id Post.
	 * @param string[] $chosen  choice, title and text; what is missing is as in the post.
	 */
	public static function choose( $post_id, $chosen ) {
		update_post_meta( $post_id, self::CHOSEN, wp_slash( array( 'post' => self::place( $post_id ) ) + $chosen ) );
	}

	/**
	 * The post's place among all blogs.
	 *
	 * @param int $post_id Post.
	 * @return string
	 */
	public static function place( $post_id ) {
		return get_current_blog_id() . ':' . (int) $post_id;
	}

	/**
	 * The name of the post at Pressbell. It stays the same after a reinstallation, and differs between the blogs of a site.
	 *
	 * @param int $post_id Post.
	 * @return string
	 */
	public static function external_id( $post_id ) {
		return 'wordpress:' . substr( hash( 'sha256', Pressbell_Settings::home() ), 0, 16 ) . ':' . $post_id;
	}

	/**
	 * The editor's choice for a post.
	 *
	 * @param int $post_id Post.
	 * @return string auto, always or never.
	 */
	public static function choice( $post_id ) {
		$chosen = self::chosen( $post_id )['choice'];
		return Pressbell_Settings::choice( $chosen ? $chosen : Pressbell_Settings::all()['choice'] );
	}

	/**
	 * The topics of a post's categories.
	 *
	 * @param int $post_id Post.
	 * @return string[] Ids; empty for all readers.
	 */
	public static function topics( $post_id ) {
		$map        = Pressbell_Settings::all()['topics'];
		$categories = wp_get_post_categories( $post_id );
		return array_values( array_unique( array_intersect_key( $map, array_flip( is_array( $categories ) ? $categories : array() ) ) ) );
	}

	/**
	 * The newest campaign that was created for a post: its text may have changed since, and a creation would be refused then.
	 *
	 * @param int $post_id Post.
	 * @return array|null|WP_Error
	 */
	public static function find( $post_id ) {
		$settings = Pressbell_Settings::all();
		$query    = array(
			'siteId'     => $settings['site'],
			'externalId' => self::external_id( $post_id ),
			'limit'      => 1,
		);
		$answer   = Pressbell_API::call( 'GET', '/v1/tenants/' . $settings['tenant'] . '/campaigns?' . http_build_query( $query ) );
		if ( is_wp_error( $answer ) ) {
			return $answer;
		}
		return isset( $answer['data'][0] ) ? $answer['data'][0] : null;
	}

	/**
	 * Creates the campaign of a post.
	 *
	 * @param WP_Post $post         Post.
	 * @param string  $withdrawn_id The campaign that was cancelled when the post was withdrawn, as its key is used up; or empty.
	 * @return array|WP_Error
	 */
	public static function create( $post, $withdrawn_id ) {
		$settings = Pressbell_Settings::all();
		$key      = 'create-' . $settings['site'] . '-' . self::external_id( $post->ID ) . ( '' === $withdrawn_id ? '' : '-' . $withdrawn_id );
		return Pressbell_API::call( 'POST', '/v1/tenants/' . $settings['tenant'] . '/campaigns', self::fields( $post ), $key );
	}

	/**
	 * Sends a campaign.
	 *
	 * @param int    $post_id     Post.
	 * @param string $campaign_id Campaign.
	 * @return array|WP_Error
	 */
	public static function send( $post_id, $campaign_id ) {
		return Pressbell_API::call( 'POST', '/v1/campaigns/' . rawurlencode( $campaign_id ) . '/send', null, 'send-' . self::external_id( $post_id ) );
	}

	/**
	 * Cancels a campaign that is not sent.
	 *
	 * @param string $campaign_id Campaign.
	 * @return array|WP_Error Each error is tried again: after a refusal the next look finds the campaign sent, or cancelled.
	 */
	public static function cancel( $campaign_id ) {
		$answer = Pressbell_API::call( 'POST', '/v1/campaigns/' . rawurlencode( $campaign_id ) . '/cancel' );
		if ( is_wp_error( $answer ) ) {
			$answer->add_data( array_merge( $answer->get_error_data(), array( 'retry' => true ) ) );
		}
		return $answer;
	}

	/**
	 * Whether a campaign can still be sent, by this plugin or by a person.
	 *
	 * @param array $campaign Campaign.
	 * @return bool
	 */
	public static function is_open( $campaign ) {
		return empty( $campaign['runId'] ) && in_array( $campaign['status'], array( 'draft', 'scheduled' ), true );
	}

	/**
	 * What is sent of a post. "Always" takes the texts from here, so that it does not depend on what is read of the page.
	 *
	 * @param WP_Post $post Post.
	 * @return array
	 */
	private static function fields( $post ) {
		$is_forced = 'always' === self::choice( $post->ID );
		$chosen    = self::chosen( $post->ID );
		$title     = $chosen['title'];
		$text      = $chosen['text'];
		if ( $is_forced && '' === $title ) {
			$title = self::plain( get_the_title( $post ), 120 );
		}
		if ( $is_forced && '' === $text ) {
			$text = self::plain( '' !== $post->post_excerpt ? $post->post_excerpt : excerpt_remove_blocks( strip_shortcodes( $post->post_content ) ), 240 );
		}
		$fields = array(
			'siteId'     => Pressbell_Settings::all()['site'],
			'url'        => get_permalink( $post ),
			'mode'       => $is_forced ? 'manual' : 'url',
			'title'      => $title,
			// The API asks for a text.
			'body'       => $is_forced && '' === $text ? self::plain( get_bloginfo( 'name' ), 240 ) : $text,
			'externalId' => self::external_id( $post->ID ),
			'topicIds'   => self::topics( $post->ID ),
		);
		// Escapes the spaces that plugins for other places of uploads leave, and the API refuses.
		$image = esc_url_raw( (string) get_the_post_thumbnail_url( $post, 'large' ), array( 'https' ) );
		if ( $is_forced && '' !== $image ) {
			$fields['imageUrl'] = $image;
		}
		return array_filter(
			$fields,
			static function ( $value ) {
				return '' !== $value && array() !== $value;
			}
		);
	}

	/**
	 * What a campaign depends on, in short: what is sent of a post, and what its page shows of it.
	 *
	 * @param WP_Post $post Post.
	 * @return string
	 */
	public static function digest( $post ) {
		return md5( (string) wp_json_encode( array( self::fields( $post ), $post->post_title, $post->post_excerpt ) ) );
	}

	/**
	 * Plain text of a limited length.
	 *
	 * @param string $html  With markup and entities.
	 * @param int    $limit Characters.
	 * @return string
	 */
	public static function plain( $html, $limit ) {
		$text = trim( (string) preg_replace( '/\s+/u', ' ', html_entity_decode( wp_strip_all_tags( $html ), ENT_QUOTES, 'UTF-8' ) ) );
		if ( mb_strlen( $text ) <= $limit ) {
			return $text;
		}
		$cut = mb_substr( $text, 0, $limit - 1 );
		// Not mb_strrpos(): where PHP has no mbstring, WordPress stands in for mb_strlen() and mb_substr() only.
		$space = strrpos( $cut, ' ' );
		return rtrim( false !== $space && $space > strlen( $cut ) / 2 ? substr( $cut, 0, $space ) : $cut, ' ,;:.' ) . '…';
	}
}
