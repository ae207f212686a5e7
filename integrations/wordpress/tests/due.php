<?php
/**
 * Makes the notifications that wait for their next try due now, as if the time had passed.
 *
 * @package Pressbell
 */

require getenv( 'PRESSBELL_TEST_FOLDER' ) . '/www/wp-load.php';
foreach ( Pressbell_Nudges::waiting() as $nudge ) {
	Pressbell_Nudges::change( $nudge->post_id, array( 'due' => time() ) );
}
Pressbell_Publisher::resume();
