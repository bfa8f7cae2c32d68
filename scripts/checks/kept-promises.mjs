// An ESLint rule. A promise in a variable that nothing handles ends the process if it rejects while its function waits for something
// else, or after its function has failed. So the statement after it must handle it on every path: await it, return it, pass it on
// (`Promise.all`), or add a `catch`. Only declarations that wait for nothing may come in between.

/** @typedef {any} Node a node of the syntax tree */

/** What runs of a statement or an expression on every path. Of everything else, all children do. */
const ALWAYS_RUN = {
  IfStatement: ['test'],
  ConditionalExpression: ['test'],
  LogicalExpression: ['left'],
  SwitchStatement: ['discriminant'],
  WhileStatement: ['test'],
  ForStatement: ['init'],
  ForInStatement: ['right'],
  ForOfStatement: ['right'],
  TryStatement: ['block'],
  FunctionDeclaration: [],
  FunctionExpression: [],
  ArrowFunctionExpression: [],
};

export const keptPromises = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      kept: 'If this promise rejects before it is handled, the process ends. Handle it in the next statement, for example with Promise.all.',
    },
  },
  create(/** @type {any} */ { sourceCode, report }) {
    const { program, esTreeNodeToTSNodeMap } = sourceCode.parserServices;
    const checker = program.getTypeChecker();

    /** Whether it is a promise, or an array of promises. */
    function isPromise(/** @type {Node} */ node) {
      const type = checker.getTypeAtLocation(esTreeNodeToTSNodeMap.get(node));
      const items = checker.isArrayLikeType(type) ? checker.getTypeArguments(type) : [];
      const options = [type, ...items].flatMap((of) => (of.isUnion() ? of.types : [of]));
      return options.some((of) => of.symbol?.name === 'Promise');
    }

    /** The first node of a type, or one that `accept` accepts, among those that run on every path. @returns {boolean} */
    function runs(/** @type {Node} */ node, /** @type {(node: Node) => boolean} */ accept) {
      if (accept(node)) return true;
      const keys =
        ALWAYS_RUN[/** @type {keyof ALWAYS_RUN} */ (node.type)] ?? sourceCode.visitorKeys[node.type];
      const children = keys.flatMap((/** @type {string} */ key) => node[key] ?? []);
      // Of a block, only its first statement is the next one.
      const next = node.type === 'BlockStatement' ? children.slice(0, 1) : children;
      return next.some((/** @type {Node} */ child) => child !== null && runs(child, accept));
    }

    function check(/** @type {Node} */ statement, /** @type {Node} */ value, /** @type {string} */ name) {
      if (cannotReject(value) || !isPromise(value)) return;
      const { body, consequent } = statement.parent;
      const siblings = [body, consequent].find(Array.isArray) ?? [];
      const next = siblings
        .slice(siblings.indexOf(statement) + 1)
        .find((after) => after.type !== 'VariableDeclaration' || runs(after, isAwait) || uses(after));
      if (next === undefined || !uses(next)) report({ node: value, messageId: 'kept' });

      function uses(/** @type {Node} */ node) {
        return runs(node, ({ type, name: used }) => type === 'Identifier' && used === name);
      }
    }

    return {
      'VariableDeclarator[init][id.type="Identifier"]'(/** @type {Node} */ { id, init, parent }) {
        check(parent, init, id.name);
      },
      'VariableDeclarator > ObjectExpression > Property'(/** @type {Node} */ { value }) {
        if (!cannotReject(value) && isPromise(value)) report({ node: value, messageId: 'kept' });
      },
      'ExpressionStatement > AssignmentExpression[left.type="Identifier"]'(/** @type {Node} */ node) {
        check(node.parent, node.right, node.left.name);
      },
    };
  },
};

const isAwait = (/** @type {Node} */ { type }) => type === 'AwaitExpression';

/** `await …`, another variable, `Promise.resolve(…)`, `….catch(…)`, and a promise whose executor is only given `resolve`. */
function cannotReject(/** @type {Node} */ node) {
  if (isAwait(node) || node.type === 'Identifier') return true;
  if (node.type === 'NewExpression') return node.arguments[0]?.params?.length === 1;
  const method = node.type === 'CallExpression' && node.callee.property?.name;
  return method === 'catch' || (method === 'resolve' && node.callee.object.name === 'Promise');
}
