// Ends with one line on a Node.js that is too old even to start a newer one. Imports nothing, and uses no new syntax.
const version = process.versions.node;
if (parseInt(version, 10) < 20) {
  process.stderr.write(
    `Pressbell needs Node.js 20 or later to start; this is ${version}. Install a newer one: https://nodejs.org\n`,
  );
  process.exit(1);
}
