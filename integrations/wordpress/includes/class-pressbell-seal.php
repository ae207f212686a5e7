<?php
/**
 * Sealing of the API key in the database.
 *
 * @package Pressbell
 */

defined( 'ABSPATH' ) || exit;

/**
 * Seals texts with a key made of the salts in wp-config.php, so that a copy of the database alone does not have them.
 */
final class Pressbell_Seal {

	/**
	 * Seals a text.
	 *
	 * @param string $text Any text.
	 * @return string Nonce and box, in base64.
	 */
	public static function close( $text ) {
		$nonce = random_bytes( SODIUM_CRYPTO_SECRETBOX_NONCEBYTES );
		// phpcs:ignore -- base64 because options are text.
		return base64_encode( $nonce . sodium_crypto_secretbox( $text, $nonce, self::key() ) );
	}

	/**
	 * Opens what close() has made.
	 *
	 * @param string $sealed Nonce and box, in base64.
	 * @return string|null The text; null if it is damaged or the salts have changed.
	 */
	public static function open( $sealed ) {
		// phpcs:ignore -- base64 because options are text.
		$bytes = base64_decode( $sealed, true );
		if ( false === $bytes || strlen( $bytes ) < SODIUM_CRYPTO_SECRETBOX_NONCEBYTES + SODIUM_CRYPTO_SECRETBOX_MACBYTES ) {
			return null;
		}
		$nonce = substr( $bytes, 0, SODIUM_CRYPTO_SECRETBOX_NONCEBYTES );
		$text  = sodium_crypto_secretbox_open( substr( $bytes, SODIUM_CRYPTO_SECRETBOX_NONCEBYTES ), $nonce, self::key() );
		return false === $text ? null : $text;
	}

	/**
	 * The key of this WordPress.
	 *
	 * @return string 32 bytes.
	 */
	private static function key() {
		return sodium_crypto_generichash( 'pressbell ' . wp_salt( 'secure_auth' ), '', SODIUM_CRYPTO_SECRETBOX_KEYBYTES );
	}
}
