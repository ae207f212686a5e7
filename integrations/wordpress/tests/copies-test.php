<?php
/**
 * What was written for one post stays with it.
 *
 * @package Pressbell
 */

/**
 * Copies posts as plugins do, with all that is stored with them.
 */
final class Pressbell_Copies_Test extends Pressbell_Test_Case {

	const CHOSEN = array(
		'choice' => 'always',
		'title'  => 'Ferry: no service until Monday',
		'text'   => 'It\'s the "storm" \\o/',
	);

	/**
	 * Copies a post as a draft.
	 *
	 * @param int      $post_id   Post.
	 * @param string[] $left_out  Names of fields that are not copied.
	 * @param bool     $is_by_row Copies rows of the database instead of values.
	 * @return int
	 */
	private function copy_of( $post_id, $left_out, $is_by_row ) {
		global $wpdb;
		$copy = $this->post( array( 'post_status' => 'draft', 'post_title' => 'Library opens on Sundays' ) );
		foreach ( get_post_meta( $post_id ) as $name => $values ) {
			foreach ( in_array( $name, $left_out, true ) ? array() : $values as $value ) {
				if ( $is_by_row ) {
					$wpdb->insert( $wpdb->postmeta, array( 'post_id' => $copy, 'meta_key' => $name, 'meta_value' => $value ) );
				} else {
					add_post_meta( $copy, $name, wp_slash( maybe_unserialize( $value ) ) );
				}
			}
		}
		wp_cache_flush();
		return $copy;
	}

	/**
	 * Ways to copy.
	 *
	 * @return array[]
	 */
	public function ways() {
		return array(
			'values'                       => array( array(), false ),
			'rows'                         => array( array(), true ),
			'with the list of Yoast'       => array( array( 'duplicate_post_excludelist_filter' ), false ),
			'with the list of WooCommerce' => array( array( 'woocommerce_duplicate_product_exclude_meta' ), false ),
		);
	}

	/**
	 * @dataProvider ways
	 */
	public function test_a_copy_has_no_choice_and_no_texts( $filters, $is_by_row ) {
		$post     = $this->post_with( self::CHOSEN );
		$left_out = array();
		foreach ( $filters as $filter ) {
			$left_out = apply_filters( $filter, $left_out );
		}
		$copy = $this->copy_of( $post, $left_out, $is_by_row );
		$this->assertSame( ! $filters, metadata_exists( 'post', $copy, Pressbell_Campaign::CHOSEN ) );
		$this->assertSame( array( 'choice' => '', 'title' => '', 'text' => '' ), Pressbell_Campaign::chosen( $copy ) );
		$this->assertSame( 'auto', Pressbell_Campaign::choice( $copy ) );
		$this->assertSame( self::CHOSEN, Pressbell_Campaign::chosen( $post ) );
		ob_start();
		Pressbell_Box::show( get_post( $copy ) );
		$this->assertStringNotContainsString( 'Ferry', ob_get_clean() );
	}

	public function test_a_copy_is_judged_and_sent_with_its_own_texts() {
		$post = $this->post_with( self::CHOSEN );
		$this->run_cron();
		$copy = $this->copy_of( $post, array(), false );
		wp_publish_post( $copy );
		$this->run_cron();
		list( $first, $second ) = array_column( $this->requests_of( '/campaigns' ), 'body' );
		$this->assertSame( array( 'manual', self::CHOSEN['title'], self::CHOSEN['text'] ), array( $first['mode'], $first['title'], $first['body'] ) );
		$this->assertSame( 'url', $second['mode'] );
		$this->assertArrayNotHasKey( 'title', $second );
		$this->assertArrayNotHasKey( 'body', $second );
	}

	public function test_a_copy_of_a_copy_has_what_was_chosen_for_neither() {
		$copy = $this->copy_of( $this->post_with( self::CHOSEN ), array(), false );
		Pressbell_Campaign::choose( $copy, array( 'choice' => 'never' ) );
		$this->assertSame( 'never', Pressbell_Campaign::choice( $copy ) );
		$this->assertSame( 'auto', Pressbell_Campaign::choice( $this->copy_of( $copy, array(), true ) ) );
	}

	public function test_post_duplicator_leaves_out_what_was_chosen() {
		$this->assertFalse( apply_filters( 'mtphr_post_duplicator_meta_' . Pressbell_Campaign::CHOSEN . '_enabled', true ) );
		$this->assertTrue( apply_filters( 'mtphr_post_duplicator_meta__thumbnail_id_enabled', true ) );
	}

	/**
	 * Values that are none of ours.
	 *
	 * @return array[]
	 */
	public function strange_values() {
		return array( array( 'always' ), array( array() ), array( array( 'choice' => 'always' ) ), array( array( 'post' => 7, 'choice' => 'always' ) ), array( 1 ) );
	}

	/**
	 * @dataProvider strange_values
	 */
	public function test_a_value_that_names_no_post_counts_for_nothing( $value ) {
		$post = $this->post( array( 'post_status' => 'draft', 'meta_input' => array( Pressbell_Campaign::CHOSEN => $value ) ) );
		$this->assertSame( array( 'choice' => '', 'title' => '', 'text' => '' ), Pressbell_Campaign::chosen( $post ) );
	}

	public function test_what_is_empty_in_the_box_is_as_in_the_post() {
		$post  = $this->post( array( 'post_status' => 'draft' ) );
		$field = array( Pressbell_Box::NONCE => wp_create_nonce( Pressbell_Box::NONCE ), 'post_ID' => $post );
		$_POST = $field + array( 'pressbell_choice' => 'never', 'pressbell_title' => str_repeat( 'ü', 200 ), 'pressbell_text' => ' a ' );
		Pressbell_Box::save( $post );
		$this->assertSame( array( 'choice' => 'never', 'title' => str_repeat( 'ü', 120 ), 'text' => 'a' ), Pressbell_Campaign::chosen( $post ) );
		$_POST = $field + array( 'pressbell_choice' => 'auto' );
		Pressbell_Box::save( $post );
		$this->assertSame( array( 'choice' => 'auto', 'title' => '', 'text' => '' ), Pressbell_Campaign::chosen( $post ) );
	}
}
