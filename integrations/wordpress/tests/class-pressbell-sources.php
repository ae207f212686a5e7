<?php
/**
 * The plugin's own sources, as PHP's tokenizer reads them.
 *
 * @package Pressbell
 */

/**
 * Finds calls in the files that the zip contains.
 */
final class Pressbell_Sources {

	/**
	 * The PHP files of the zip.
	 *
	 * @return string[] Contents by path.
	 */
	public static function all() {
		$root  = dirname( __DIR__ ) . '/';
		$files = array();
		foreach ( array_merge( glob( $root . '*.php' ), glob( $root . 'includes/*.php' ) ) as $file ) {
			$files[ substr( $file, strlen( $root ) ) ] = file_get_contents( $file );
		}
		return $files;
	}

	/**
	 * All calls of functions with these names; not of methods.
	 *
	 * @param string[] $names Functions.
	 * @return array[] Each with name, at (file and line), arguments (texts, without space around) and before (the lines above
	 *                 and its own).
	 */
	public static function calls( $names ) {
		$calls = array();
		foreach ( self::all() as $file => $source ) {
			$lines  = explode( "\n", $source );
			$tokens = self::tokens( $source );
			foreach ( $tokens as $index => list( $text, $line ) ) {
				$is_call = in_array( $text, $names, true ) && isset( $tokens[ $index + 1 ] ) && '(' === $tokens[ $index + 1 ][0];
				if ( $is_call && ! in_array( $tokens[ $index - 1 ][0], array( '::', '->', 'function' ), true ) ) {
					$calls[] = array(
						'name'      => $text,
						'at'        => "$file:$line",
						'arguments' => self::arguments( $tokens, $index + 2 ),
						'before'    => implode( "\n", array_slice( $lines, max( 0, $line - 3 ), min( 3, $line ) ) ),
					);
				}
			}
		}
		return $calls;
	}

	/**
	 * The tokens of a source, without space and comments.
	 *
	 * @param string $source PHP.
	 * @return array[] Text and line of each.
	 */
	private static function tokens( $source ) {
		$tokens = array();
		$line   = 1;
		foreach ( token_get_all( $source ) as $token ) {
			$line = is_array( $token ) ? $token[2] : $line;
			if ( ! is_array( $token ) || ! in_array( $token[0], array( T_WHITESPACE, T_COMMENT, T_DOC_COMMENT ), true ) ) {
				$tokens[] = array( is_array( $token ) ? $token[1] : $token, $line );
			}
		}
		return $tokens;
	}

	/**
	 * The arguments of a call.
	 *
	 * @param array[] $tokens Of the file.
	 * @param int     $index  Of the first one after the parenthesis.
	 * @return string[]
	 */
	private static function arguments( $tokens, $index ) {
		$arguments = array( '' );
		for ( $depth = 0; $depth > 0 || ')' !== $tokens[ $index ][0]; $index++ ) {
			$text   = $tokens[ $index ][0];
			$depth += in_array( $text, array( '(', '[', '{' ), true ) ? 1 : ( in_array( $text, array( ')', ']', '}' ), true ) ? -1 : 0 );
			if ( ',' === $text && 0 === $depth ) {
				$arguments[] = '';
			} else {
				$arguments[ count( $arguments ) - 1 ] .= $text;
			}
		}
		return array_values( array_diff( $arguments, array( '' ) ) );
	}
}
