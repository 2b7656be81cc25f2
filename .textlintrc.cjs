// `npm run lint:prose`: phrases that read like a translation. The patterns are in tools/lint/prose.yml, the files that are
// left out, with the reasons, in .textlintignore. textlint reads no ES module here, and takes a plugin's path only if it is absolute.
const { join } = require('node:path');

module.exports = {
  rules: { prh: { rulePaths: ['tools/lint/prose.yml'], checkLink: true, checkEmphasis: true } },
  plugins: {
    // Contracts and other YAML are read as plain text.
    '@textlint/text': { extensions: ['.yaml', '.yml'] },
    // Of code, only the texts that a command prints or a page shows.
    [join(__dirname, 'tools/lint/strings.js')]: true,
  },
};
