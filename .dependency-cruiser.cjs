// Which file may import which: model < base < db < ledger < records, cluster < http < features < app, jobs < main, bin.
// `npm run check` enforces it.

const tests = '\\.test\\.ts$|^[^/]+/test/';
const feature = '^server/src/features/([^/]+)/';
/** A package, wherever npm put it. */
const packages = (...names) => `node_modules/(${names.join('|')})/`;
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/**
 * The rooms of server/src below the features, each with the rooms that it may import and the reason. Everything else in
 * the repository is closed to it, except the types that http/deps.ts names.
 */
const rooms = [
  ['model', [], "The model is the contract's vocabulary. Every other room may use it, so it can use none."],
  ['base', ['model'], 'Code for clocks, logs, keys and settings runs without a database or a server.'],
  ['db', ['model', 'base'], 'A database driver knows SQL, not audit chains or HTTP.'],
  [
    'ledger',
    ['model', 'base', 'db'],
    'The audited write needs only the database, so it works without Redis or HTTP.',
  ],
  [
    'cluster',
    ['model', 'base', 'db'],
    'State shared by nodes does not depend on what they write or what calls them.',
  ],
  [
    'records',
    ['model', 'base', 'db', 'ledger'],
    'Lists, filters, cursors and counts of records are the same for every feature and every protocol.',
  ],
  [
    'http',
    ['model', 'base', 'db', 'ledger', 'records', 'cluster'],
    'The pipeline serves all features, so it must not depend on one.',
  ],
].map(([room, below, reason]) =>
  rule(
    `${room}-imports-lower-rooms-only`,
    reason,
    { path: `^server/src/${room}/`, pathNot: tests },
    {
      path: '^(server|zk|chain|demo-idp|cli|sdk|console)/',
      pathNot: [
        ...[room, ...below].map((open) => `^server/src/${open}/`),
        ...(room === 'http' ? ['^(zk|chain)/src/'] : []),
        // Time-outs that all packages have in common.
        '^zk/src/patiently\\.ts$',
        // What the chain says of a record, which its checkers compute too.
        ...(['ledger', 'records'].includes(room) ? ['^zk/src/records/'] : []),
      ],
    },
  ),
);

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    rule(
      'no-cycles',
      'The files of a cycle can only be understood, tested and loaded together, and their load order is accidental.',
      {},
      { circular: true },
    ),
    rule(
      'no-barrels',
      'An index file hides where a name is defined, and importing one name loads the whole folder.',
      {},
      { path: '/index\\.ts$', pathNot: 'node_modules' },
    ),
    rule(
      'no-unresolved',
      'An import that cannot be resolved fails at the first start, not in the build.',
      // These applications have packages of their own, which their test installs.
      { pathNot: '^server/test/oidc/libraries/' },
      { couldNotResolve: true },
    ),
    rule(
      'no-undeclared-package',
      'A package that is in no package.json is installed by accident and may disappear when another is upgraded.',
      { path: '^[^/]+/src/', pathNot: tests },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
    rule(
      'no-development-package-in-production',
      'Development packages are not installed in production, and we may not distribute them under their licences.',
      { path: '^[^/]+/src/', pathNot: tests },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm'] },
    ),
    rule(
      'no-gpl-tools',
      'The circuit tools are under GPL-3.0: tests may compare our code with them, but distributed code must not use them.',
      { path: '^[^/]+/src/', pathNot: tests },
      {
        path: packages(
          'snarkjs',
          'circomlib',
          'circomlibjs',
          'circom2',
          'circom_runtime',
          'ffjavascript',
          'r1csfile',
        ),
      },
    ),

    rule(
      'main-is-the-top',
      'main.ts puts the process together. Only the executable runs it.',
      { pathNot: ['^server/src/bin/start\\.ts$', '^server/test/'] },
      { path: '^server/src/main\\.ts$' },
    ),
    rule(
      'serve-is-the-executable',
      'Importing bin/serve.ts or bin/start.ts starts a server, so only `svc serve` does.',
      { pathNot: ['^cli/src/commands/operator\\.ts$', '^server/src/bin/serve\\.ts$', '^server/test/'] },
      { path: '^server/src/bin/(serve|start)\\.ts$' },
    ),
    rule(
      'main-goes-through-app',
      'app.ts is the table of contents: a surface that it does not list does not run.',
      { path: '^server/src/main\\.ts$' },
      { path: '^server/src/features/' },
    ),
    rule(
      'app-is-above-the-rest',
      'app.ts combines the features, so no feature may import it.',
      { path: '^server/src/features/', pathNot: tests },
      { path: '^server/src/([^/]+\\.ts$|bin/)' },
    ),
    ...rooms,
    rule(
      'http-names-proofs-only-in-deps',
      'The dependencies that main.ts passes down include the verifier and the blockchain client. http/deps.ts names their types; nothing below the features calls them.',
      { path: '^server/src/http/', pathNot: ['^server/src/http/deps\\.ts$', tests] },
      { path: '^(zk|chain)/' },
    ),
    rule(
      'http-deps-imports-types-only',
      'Naming a type loads no code, so the pipeline starts without the verifier and the blockchain client.',
      { path: '^server/src/http/deps\\.ts$' },
      { dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'model-does-no-io',
      'Pure code can be tested with a table of cases, and called anywhere.',
      { path: '^server/src/model/', pathNot: tests },
      { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|url|util|buffer)$' },
    ),

    rule(
      'features-meet-at-the-front-door',
      "A feature's stores, schemas and routes are its own; others call the rules in the file that bears its name.",
      {
        path: feature,
        pathNot: ['^server/src/features/legacy/', '^server/src/features/openid-provider/sign-in/', tests],
      },
      { path: feature, pathNot: ['^server/src/features/$1/', '^server/src/features/([^/]+)/\\1\\.ts$'] },
    ),
    rule(
      'the-sign-in-page-is-a-desktop',
      'The page of the OpenID Provider follows and completes its pairing session. These files use the rules of pairing and so cannot be exported by them.',
      { path: '^server/src/features/openid-provider/sign-in/', pathNot: tests },
      {
        path: feature,
        pathNot: [
          '^server/src/features/openid-provider/',
          '^server/src/features/pairing/(?:pairing-events|hosted/(?:complete|nearby))\\.ts$',
          '^server/src/features/([^/]+)/\\1\\.ts$',
        ],
      },
    ),
    rule(
      'legacy-derives-from-v1',
      'The legacy endpoints are twins of `/v1` routes, so they also read the lists of those routes.',
      { path: '^server/src/features/legacy/', pathNot: tests },
      {
        path: feature,
        pathNot: ['^server/src/features/legacy/', '^server/src/features/(?:sso/)?([^/]+)/\\1\\.(v1\\.)?ts$'],
      },
    ),
    rule(
      'nothing-depends-on-legacy',
      'The deprecated endpoints can be deleted with their folder.',
      { path: feature, pathNot: ['^server/src/features/legacy/', tests] },
      { path: '^server/src/features/legacy/' },
    ),
    rule(
      'stores-and-schemas-are-private',
      'SQL and wire names change with their feature. app.ts needs only its surfaces.',
      { pathNot: [feature, tests] },
      { path: `${feature}[^/]+\\.(store|schema)\\.ts$` },
    ),

    rule(
      'fastify-only-in-http',
      'Only one file uses the framework, so limits and headers are set once and the framework can be replaced.',
      { path: '^[^/]+/src/', pathNot: ['^server/src/http/'] },
      { path: packages('fastify', '@fastify/[^/]+', 'fastify-plugin') },
    ),
    rule(
      'drivers-only-in-db',
      'All other files use one database interface, and cannot open a connection outside the pool and its transactions.',
      { path: '^[^/]+/(src|test)/', pathNot: ['^server/src/db/', tests] },
      { path: packages('pg', 'pg-[^/]+', '@types/pg', '@electric-sql/[^/]+') },
    ),

    rule(
      'redis-only-behind-its-port',
      'Code that used Redis directly would wait for it when it is lost.',
      { path: '^[^/]+/(src|test)/', pathNot: ['^server/src/cluster/redis\\.ts$', tests] },
      { path: packages('@redis/[^/]+') },
    ),

    rule(
      'zk-stands-alone',
      'Phones and browsers run the circuit, the encodings and the prover without any server.',
      { path: '^zk/' },
      { path: '^(server|cli|sdk|console|chain|demo-idp)/' },
    ),
    rule(
      'clients-know-the-wire-only',
      'The console and the SDK use only what every customer gets: the published interface.',
      { path: '^(console|sdk)/', pathNot: tests },
      { path: '^(server|cli|chain|demo-idp)/' },
    ),
    rule(
      'demo-idp-stands-alone',
      'The simulated provider represents another company, so it shares no code with the server that trusts it.',
      { path: '^demo-idp/' },
      { path: '^(server|cli|sdk|console|chain|zk)/' },
    ),
    rule(
      'demo-idp-only-in-its-feature',
      'Sign-on knows the simulated provider only by its settings, like a real one.',
      { path: '^[^/]+/src/', pathNot: ['^demo-idp/', '^server/src/features/sso/demo/', tests] },
      { path: '^demo-idp/' },
    ),
    rule(
      'demo-idp-loads-on-demand',
      'Production does not load the simulated provider, so only a dynamic import may reach it.',
      { path: '^server/src/', pathNot: tests },
      { path: '^server/src/features/sso/demo/simulated\\.ts$', dependencyTypesNot: ['dynamic-import'] },
    ),
    rule(
      'demo-idp-package-only-in-simulated',
      'Everything else names its types alone, which loads no code.',
      { path: '^server/src/', pathNot: ['^server/src/features/sso/demo/simulated\\.ts$', tests] },
      { path: '^demo-idp/', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'server-has-three-doors',
      'The server exports only serve, operate, doctor and evidence. Everything else can change without breaking the command line.',
      { path: '^(cli|sdk|console|zk|chain)/', pathNot: tests },
      { path: '^server/', pathNot: '^server/src/bin/(serve|operate|doctor|evidence)\\.ts$' },
    ),
    rule(
      'command-line-lives-on-the-sdk',
      'Integrators get the same client, watcher and audit check: what the command line needs beyond them belongs in the SDK.',
      { path: '^cli/', pathNot: tests },
      { path: '^(sdk|console)/', pathNot: '^sdk/src/(hours|sdk|phone|prover|receipts|time)\\.ts$' },
    ),
    rule(
      'chain-stands-alone',
      'The client of the contracts receives its settings and knows no tenants.',
      { path: '^chain/' },
      { path: '^(server|cli|sdk|console|demo-idp)/' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|generated)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true, // imports of types are dependencies too
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default'],
    },
  },
};
