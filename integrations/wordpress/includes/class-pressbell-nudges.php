<?php
/**
 * The table of claims: one row for each post, so one notification.
 *
 * @package Pressbell
 */

defined( 'ABSPATH' ) || exit;

/**
 * A row is a claim of its post, and holds what became of it. The primary key is the promise: a second claim inserts nothing.
 *
 * States: waiting (for its event), sent, skipped (by the decision), left (not to be notified, ever), failed, and withdrawn (before
 * it was sent; the next publication claims it again).
 */
final class Pressbell_Nudges {

	const SCHEMA = '3';

	/**
	 * Hooks in.
	 */
	public static function listen() {
		add_filter( 'wpmu_drop_tables', array( __CLASS__, 'drop' ) );
	}

	/**
	 * Lets WordPress drop the table with its blog: an uninstallation looks at the blogs that are left.
	 *
	 * @param string[] $tables Tables of the blog that is deleted, which is the current one.
	 * @return string[]
	 */
	public static function drop( $tables ) {
		global $wpdb;
		$tables[] = $wpdb->prefix . 'pressbell_nudges';
		return $tables;
	}

	/**
	 * The table's name in this blog. It is made when it is first needed, also in a new blog of a multisite.
	 *
	 * @return string
	 */
	public static function table() {
		global $wpdb;
		$table = $wpdb->prefix . 'pressbell_nudges';
		if ( self::SCHEMA !== get_option( 'pressbell_schema' ) ) {
			require_once ABSPATH . 'wp-admin/includes/upgrade.php';
			// Adds the columns that a table of an earlier version does not have.
			dbDelta(
				"CREATE TABLE $table (
				post_id bigint(20) unsigned NOT NULL,
				state varchar(20) NOT NULL,
				attempts int(10) unsigned NOT NULL DEFAULT 0,
				since bigint(20) unsigned NOT NULL DEFAULT 0,
				due bigint(20) unsigned NOT NULL DEFAULT 0,
				campaign_id varchar(36) NOT NULL DEFAULT '',
				withdrawn_id varchar(36) NOT NULL DEFAULT '',
				run_id varchar(36) NOT NULL DEFAULT '',
				digest varchar(32) NOT NULL DEFAULT '',
				message text NOT NULL,
				PRIMARY KEY  (post_id)
				) ENGINE=InnoDB " . $wpdb->get_charset_collate()
			);
			update_option( 'pressbell_schema', self::SCHEMA, true );
		}
		return $table;
	}

	/**
	 * Claims a post. Only the first call of all ever returns true.
	 *
	 * @param int    $post_id Post.
	 * @param string $state   First state.
	 * @param string $message For the box.
	 * @param int    $due     Unix time of the first try.
	 * @return bool
	 */
	public static function claim( $post_id, $state, $message = '', $due = 0 ) {
		global $wpdb;
		$table = self::table();
		// phpcs:ignore -- the table's name is made of the prefix.
		return 1 === $wpdb->query( $wpdb->prepare( "INSERT IGNORE INTO $table (post_id, state, message, since, due) VALUES (%d, %s, %s, %d, %d)", $post_id, $state, $message, time(), $due ) );
	}

	/**
	 * Takes a due post for one try: moves the time when it is due to the end of a lease. Two processes cannot both take it.
	 *
	 * @param int $post_id Post.
	 * @param int $lease   Seconds.
	 * @return bool
	 */
	public static function take( $post_id, $lease ) {
		global $wpdb;
		$table = self::table();
		// phpcs:ignore -- the table's name is made of the prefix.
		return 1 === $wpdb->query( $wpdb->prepare( "UPDATE $table SET due = %d, attempts = attempts + 1 WHERE post_id = %d AND state = 'waiting' AND due <= %d", time() + $lease, $post_id, time() ) );
	}

	/**
	 * Changes a row.
	 *
	 * @param int   $post_id Post.
	 * @param array $fields  Columns.
	 */
	public static function change( $post_id, $fields ) {
		global $wpdb;
		// phpcs:ignore -- a table of our own.
		$wpdb->update( self::table(), $fields, array( 'post_id' => $post_id ) );
	}

	/**
	 * Begins anew with a post of one of two states. Of several calls at once, one returns true.
	 *
	 * @param int    $post_id Post.
	 * @param int    $due     Unix time of the first try.
	 * @param string $from    A state.
	 * @param string $or      Another state.
	 * @return bool
	 */
	public static function restart( $post_id, $due, $from, $or = '' ) {
		global $wpdb;
		$table = self::table();
		// phpcs:ignore -- the table's name is made of the prefix.
		return 1 === $wpdb->query( $wpdb->prepare( "UPDATE $table SET state = 'waiting', attempts = 0, since = %d, due = %d, campaign_id = '', message = '' WHERE post_id = %d AND state IN (%s, %s)", time(), $due, $post_id, $from, $or ) );
	}

	/**
	 * Lets the time of a post that waits count from now.
	 *
	 * @param int $post_id Post.
	 */
	public static function renew( $post_id ) {
		global $wpdb;
		// phpcs:ignore -- a table of our own.
		$wpdb->update( self::table(), array( 'since' => time() ), array( 'post_id' => $post_id, 'state' => 'waiting' ) );
	}

	/**
	 * Sees to it that a post never notifies readers, unless it has notified or is to.
	 *
	 * @param int    $post_id Post.
	 * @param string $reason  For the box.
	 */
	public static function leave( $post_id, $reason ) {
		global $wpdb;
		if ( ! self::claim( $post_id, 'left', $reason ) ) {
			$fields = array(
				'state'   => 'left',
				'message' => $reason,
			);
			// phpcs:ignore -- a table of our own.
			$wpdb->update( self::table(), $fields, array( 'post_id' => $post_id, 'state' => 'withdrawn' ) );
		}
	}

	/**
	 * The row of a post.
	 *
	 * @param int $post_id Post.
	 * @return object|null
	 */
	public static function read( $post_id ) {
		global $wpdb;
		$table = self::table();
		// phpcs:ignore -- the table's name is made of the prefix.
		return $wpdb->get_row( $wpdb->prepare( "SELECT * FROM $table WHERE post_id = %d", $post_id ) );
	}

	/**
	 * The posts that wait.
	 *
	 * @return object[] post_id and due.
	 */
	public static function waiting() {
		global $wpdb;
		$table = self::table();
		// phpcs:ignore -- the table's name is made of the prefix.
		return $wpdb->get_results( "SELECT post_id, due FROM $table WHERE state = 'waiting'" );
	}

	/**
	 * How many posts are in each state.
	 *
	 * @return int[] By state.
	 */
	public static function counts() {
		global $wpdb;
		$table = self::table();
		// phpcs:ignore -- the table's name is made of the prefix.
		return array_map( 'intval', wp_list_pluck( $wpdb->get_results( "SELECT state, count(*) AS posts FROM $table GROUP BY state" ), 'posts', 'state' ) );
	}
}
