<?php
/**
 * Router of PHP's own web server: files as they are, all else to WordPress.
 *
 * @package Pressbell
 */

$path = parse_url( $_SERVER['REQUEST_URI'], PHP_URL_PATH );
if ( preg_match( '#^/wp-(admin|includes|content)/|^/wp-[a-z-]+\.php$#', $path ) && file_exists( $_SERVER['DOCUMENT_ROOT'] . $path ) ) {
	return false;
}
// A page that is not there yet, for as long as the test says so.
if ( file_exists( getenv( 'PRESSBELL_TEST_FOLDER' ) . '/away' ) && ! preg_match( '#^/(wp-|index\.php/wp-json)#', $path ) && ! isset( $_GET['rest_route'] ) ) {
	http_response_code( 503 );
	return true;
}
// A plugin that leads all readers elsewhere, for as long as the test says so.
$redirect = getenv( 'PRESSBELL_TEST_FOLDER' ) . '/redirect';
if ( file_exists( $redirect ) && ! preg_match( '#^/wp-#', $path ) && false === strpos( $_SERVER['REQUEST_URI'], 'page_id' ) ) {
	header( 'Location: ' . file_get_contents( $redirect ), true, 302 );
	return true;
}
$_SERVER['SCRIPT_NAME'] = '/index.php';
require $_SERVER['DOCUMENT_ROOT'] . '/index.php';
