<?php
/**
 * Must-use plugin of the browser tests: endpoints of this browser lead to the simulated push service.
 *
 * @package Pressbell
 */

add_filter(
	'pressbell_worker',
	static function ( $line ) {
		return getenv( 'PRESSBELL_TEST_PRELUDE' ) . "\n" . $line;
	}
);
