<?php
/**
 * A theme of one file: Debian's package brings none.
 *
 * @package Pressbell
 */

?><!doctype html>
<html <?php language_attributes(); ?>>
<head><title><?php wp_title( '' ); ?></title><?php wp_head(); ?></head>
<body>
<?php
while ( have_posts() ) {
	the_post();
	the_title( '<h1>', '</h1>' );
	the_content();
}
wp_footer();
?>
</body>
</html>
