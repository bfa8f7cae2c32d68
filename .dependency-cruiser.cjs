// Who may import whom: main → app → features → { model, kernel, zk, chain }. `npm run check` enforces it.

const tests = '\\.test\\.ts$|^[^/]+/test/';
const feature = '^server/src/features/([^/]+)/';
/** A package, wherever npm put it. */
const packages = (...names) => `node_modules/(${names.join('|')})/`;
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    rule(
      'no-cycles',
      'Files of a cycle can only be understood, tested and loaded together; which of them runs first is luck.',
      {},
      { circular: true },
    ),
    rule(
      'no-barrels',
      'An index file hides where a thing lives and loads all of a folder for one name out of it.',
      {},
      { path: '/index\\.ts$', pathNot: 'node_modules' },
    ),
    rule(
      'no-unresolved',
      'An import that nothing answers fails at the first start, not at the build.',
      {},
      { couldNotResolve: true },
    ),
    rule(
      'no-undeclared-package',
      'A package that no package.json names is there by luck and is gone after another one is upgraded.',
      { path: '^[^/]+/src/', pathNot: tests },
      { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    ),
    rule(
      'no-development-package-in-production',
      'Development packages are not there in production, and their licences are not ours to ship.',
      { path: '^[^/]+/src/', pathNot: tests },
      { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only', 'npm'] },
    ),
    rule(
      'no-gpl-tools',
      'The circuit tools are GPL-3.0: tests may check our own code against them, nothing that is shipped may use them.',
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
      'Importing main.ts would start a server.',
      { path: '^server/', pathNot: '^server/test/' },
      { path: '^server/src/main\\.ts$' },
    ),
    rule(
      'main-goes-through-app',
      'app.ts is the table of contents: what it does not list does not run.',
      { path: '^server/src/main\\.ts$' },
      { path: '^server/src/features/' },
    ),
    rule(
      'app-is-above-the-rest',
      'app.ts puts the parts together, so no part can know it.',
      { path: '^server/src/(features|http|cluster|ledger|db|base|model)/', pathNot: tests },
      { path: '^server/src/app\\.ts$' },
    ),
    rule(
      'kernel-knows-no-feature',
      "The kernel could carry another service tomorrow; of this one it speaks the model's words and no more.",
      { path: '^server/src/(http|cluster|ledger|db|base)/', pathNot: tests },
      { path: '^(server/src/features|cli|sdk|console)/' },
    ),
    rule(
      'kernel-names-proofs-only-as-types',
      'The dependencies that main.ts hands down include the verifier, so the kernel names its type; it never calls it.',
      { path: '^server/src/(http|cluster|ledger|db|base)/', pathNot: tests },
      { path: '^(zk|chain)/', dependencyTypesNot: ['type-only'] },
    ),
    rule(
      'model-stands-alone',
      "The model is the contract's vocabulary: words that everybody may use and that use nobody.",
      { path: '^server/src/model/', pathNot: tests },
      { path: '^(server/src/(features|http|cluster|ledger|db|base)|zk|chain|cli|sdk|console)/' },
    ),
    rule(
      'model-does-no-io',
      'What is pure can be tested by its table of cases alone, and be called anywhere.',
      { path: '^server/src/model/', pathNot: tests },
      { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|url|util|buffer)$' },
    ),

    rule(
      'features-meet-at-the-front-door',
      "A feature's stores, schemas and routes are its own; others call the rules in the file that bears its name.",
      { path: feature, pathNot: tests },
      { path: feature, pathNot: ['^server/src/features/$1/', '^server/src/features/([^/]+)/\\1\\.ts$'] },
    ),
    rule(
      'stores-and-schemas-are-private',
      'SQL and wire names change with their feature; app.ts needs its surfaces only.',
      { pathNot: [feature, tests] },
      { path: `${feature}[^/]+\\.(store|schema)\\.ts$` },
    ),

    rule(
      'fastify-only-in-http',
      'One file speaks to the framework, so that limits and headers are set once and the framework can be replaced.',
      { path: '^[^/]+/src/', pathNot: ['^server/src/http/'] },
      { path: packages('fastify', '@fastify/[^/]+', 'fastify-plugin') },
    ),
    rule(
      'drivers-only-in-db',
      'All others see one kind of database, and cannot open a connection outside the pool and its transactions.',
      { path: '^[^/]+/(src|test)/', pathNot: ['^server/src/db/', tests] },
      { path: packages('pg', 'pg-[^/]+', '@types/pg', '@electric-sql/[^/]+') },
    ),

    rule(
      'redis-only-behind-its-port',
      'Whoever spoke to Redis past the port would wait for a lost one.',
      { path: '^[^/]+/(src|test)/', pathNot: ['^server/src/cluster/redis\\.ts$', tests] },
      { path: packages('@redis/[^/]+') },
    ),

    rule(
      'zk-stands-alone',
      'Phones and browsers run the circuit, the encodings and the prover without any server.',
      { path: '^zk/' },
      { path: '^(server|cli|sdk|console|chain)/' },
    ),
    rule(
      'clients-know-the-wire-only',
      'The console and the SDK live on what any customer gets: the published interface.',
      { path: '^(console|sdk)/', pathNot: tests },
      { path: '^(server|cli|chain)/' },
    ),
    rule(
      'chain-stands-alone',
      'The client of the contracts is handed its settings and knows no tenant.',
      { path: '^chain/' },
      { path: '^(server|cli|sdk|console)/' },
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)(dist|generated)/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true, // imports of types bind files to each other as well
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['source', 'import', 'node', 'default'],
    },
  },
};
