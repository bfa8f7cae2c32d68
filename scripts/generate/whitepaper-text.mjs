// The whitepaper's words, in the order of the page. Standard PDF fonts know Latin text only, so formulas are plain.

/**
 * @typedef {{ kind: 'section' | 'text' | 'formula' | 'note', text: string }
 *   | { kind: 'list', items: string[] }
 *   | { kind: 'table', widths: number[], head: string[], rows: string[][] }} Block
 */

export const title = 'Verifying people without keeping them';
export const subtitle = 'How the identity verification service works, what it proves, and what it does not';

/** @type {Block[]} */
export const blocks = [
  {
    kind: 'text',
    text: 'Most systems that recognise a person keep something of that person: a photograph, a fingerprint template, a voice model. Whoever steals it can keep it for life, because nobody can be issued another face. This service keeps nothing of the kind. A phone holds a random secret behind its own biometric lock and proves, without showing it, that it still has it. What the service stores would be of no use to a thief.',
  },
  {
    kind: 'text',
    text: 'This paper describes the mechanism for people who have to decide whether to rely on it: security reviewers, data protection officers, engineers who will integrate it. It says in the same plain words what the mechanism does not do.',
  },
  { kind: 'section', text: 'What crosses the wire' },
  {
    kind: 'text',
    text: 'A registration sends two values; each later verification sends one proof. Beside labels that a tenant adds itself, such as its own number for a person, the table is complete: outside metadata, profile and attestation, which are the tenant’s own, the service refuses a request that carries any field it does not know. Everywhere, at whatever depth, it answers an error of its own to a field whose name is on a published list of names for biometric templates and images, before anything is stored or logged. A server cannot tell a biometric value that hides under another name; a tenant must not send one.',
  },
  {
    kind: 'table',
    widths: [0.22, 0.43, 0.35],
    head: ['Value', 'What it is', 'What it tells the service'],
    rows: [
      [
        'DID',
        'A name made by the phone, used within one tenant and one environment',
        'Which registration is meant',
      ],
      [
        'Commitment',
        'Poseidon hash of two random numbers of 248 bits, made on the phone',
        'Nothing about the numbers; the same numbers give the same commitment',
      ],
      [
        'Proof',
        'Groth16 proof of less than a kilobyte, with three public signals',
        'That its maker knows the numbers behind the commitment, now and for this purpose',
      ],
      ['Nonce and time', 'A random UUID and a clock reading', 'That the proof is fresh; it is accepted once'],
    ],
  },
  {
    kind: 'text',
    text: 'The two random numbers are drawn from the phone’s own generator. They are not computed from a face or a finger; the biometric sensor only unlocks them. There is therefore no template to reconstruct, not even by somebody who breaks every hash in this paper.',
  },
  {
    kind: 'text',
    text: 'One deprecated endpoint, kept for old integrations, takes a template and derives a commitment from it in memory. It is closed in production unless the operator opens it. For that endpoint we promise that nothing is stored; we cannot promise that no byte stays in memory for a while.',
  },
  { kind: 'section', text: 'The proof system' },
  {
    kind: 'text',
    text: 'The circuit is small enough to be read in one sitting. Its statement is: I know a secret and a salt such that',
  },
  {
    kind: 'formula',
    text: 'commitment = Poseidon(secret, salt)\nidentityBinding = Poseidon(secret, salt, bound)',
  },
  {
    kind: 'text',
    text: 'where commitment, bound and identityBinding are public. It is proved with Groth16 over the curve BN254, whose proofs are three points, however large the statement, and are checked in milliseconds. The service holds a verification key whose SHA-256 is pinned in its source; it refuses to start with another one.',
  },
  {
    kind: 'text',
    text: 'The public value called bound is what makes a proof good for one use. It is a hash of the DID together with the purpose (logging in, pairing two devices, registering), the tenant, the environment and a nonce:',
  },
  {
    kind: 'formula',
    text: 'bound = Poseidon(hash(DID), bind)\nbind = hash(purpose | tenant | environment | nonce ...)',
  },
  {
    kind: 'text',
    text: 'A proof made for one tenant fails at every other one, so a dishonest tenant cannot pass on what its users send it. A proof made for pairing fails as a login, so a forged QR code gains nothing. Nonces are spent in the same database statement that accepts the proof: of any number of copies sent at once, exactly one is accepted. Groth16 proofs can be altered into other valid proofs of the same statement, which is why the nonce and not the bytes of the proof is what counts.',
  },
  {
    kind: 'text',
    text: 'An unknown DID, a wrong commitment, a stale nonce and an invalid proof all get the same answer after the same work, so that nobody learns by asking who is registered. Numbers that are not in their one canonical form never reach the curve arithmetic, and points are checked to lie on the curve and in the right subgroup.',
  },
  { kind: 'section', text: 'The audit chain' },
  {
    kind: 'text',
    text: 'Every change that a tenant makes leaves a row in an append-only chain, one chain for each tenant and environment. The change and its row are committed together or not at all, and nobody is answered before the commit. A row says who acted, what was done and to which record, by identifiers alone; it carries no name, address or DID.',
  },
  {
    kind: 'formula',
    text: 'digest = SHA-256(canonical JSON of the row)\nhash = SHA-256(hash of the row before, digest)',
  },
  {
    kind: 'text',
    text: 'Changing, removing, inserting or swapping rows breaks every link that follows. The last link is stored apart from the rows and signed with an Ed25519 key that the database never sees, so a tail that was cut off is noticed too. Triggers in the database refuse any update or removal of a row.',
  },
  {
    kind: 'text',
    text: 'A tenant need not believe any of this. It can download its whole chain at any time as a text file, one row a line, and check it without us: the format takes thirty lines of code in a common language, and the product ships a program that does it, in constant memory, for chains of any length. A tenant that keeps one signed head of that file, a few hundred bytes, can prove later that the chain still extends it.',
  },
  { kind: 'section', text: 'What is stored' },
  {
    kind: 'table',
    widths: [0.32, 0.68],
    head: ['Record', 'In what form'],
    rows: [
      ['Identity', 'DID and commitment, with the time of registration and of revocation'],
      ['Person', 'What the tenant chooses to send: a name or its own identifier, optional contact details'],
      ['Verification', 'Method, result, time, and the records it refers to; never the proof itself'],
      ['Keys, tokens, codes', 'SHA-256 or keyed hashes; a raw key is shown once, when it is made'],
      ['Passwords of the console', 'Argon2id'],
    ],
  },
  {
    kind: 'text',
    text: 'The operator can ask a running server to examine its own database: that no column and no field has a name on that list, that no column could hold an image, that columns of hashes hold hashes, that audit rows are protected. The examination reads the live catalog and the newest rows, and fails when it finds otherwise.',
  },
  { kind: 'section', text: 'Honest limits' },
  {
    kind: 'list',
    items: [
      'A proof shows possession of a secret, not the presence of a person. That the right person unlocked the phone is the phone’s claim. An integrity verdict sent along with a proof is recorded as claimed unless its evidence was checked.',
      'Whoever takes over an unlocked phone, with its secure storage, can prove. Tenants revoke the device or the identity, and the sessions that came from it end at once.',
      'A commitment is a pseudonym. Within one tenant it links the registrations and verifications of one phone, which is what it is for. Phones should use a fresh secret for every tenant; ours does.',
      'The service learns when a tenant’s users verify. It writes neither addresses nor bodies to its log, but the machines and networks in front of it may.',
      'Whoever can replace the whole database with an older copy of itself leaves a chain that holds. Only a head kept elsewhere shows it.',
      'The chain shows what the service did. It does not show what a caller meant, nor what happened outside of it.',
      'Groth16 and BN254 rest on assumptions that a large quantum computer would break. Such a machine could forge proofs. Proofs that were made before would still show nothing of the secret, and no known attack of that kind recovers it from a commitment, which is a hash.',
      'The simulated sign-on endpoints are for demonstrations. They are off unless switched on, and their tokens are marked.',
    ],
  },
  { kind: 'section', text: 'The set-up, and why it matters' },
  {
    kind: 'text',
    text: 'Groth16 needs keys that are made once, from randomness that must then be forgotten. Whoever keeps it can forge a proof for any commitment. It does not let them learn a secret or read anything stored. The usual remedy is a ceremony: many parties contribute in turn, and one honest contributor in each phase is enough.',
  },
  {
    kind: 'note',
    text: 'The keys that come with the source are a development set-up: one party made every contribution. They are right for trying the service and wrong for relying on it. Health, circuit information and the privacy audit of a running server say which kind it has, and with REQUIRE_CEREMONY_KEYS=true it refuses to start on development keys. The tools to run a ceremony, and to check every contribution to one, come with the source.',
  },
  { kind: 'section', text: 'Check it yourself' },
  {
    kind: 'list',
    items: [
      'Run the server and the quickstart: they walk from an empty account to a verified proof and recompute the audit chain, each step explained.',
      'Read the page on proofs and write a client from it; published test vectors cover every rule.',
      'Recompile the circuit and check its keys with the command “zk verify-setup”.',
      'Export your audit chain, keep its last line, and check the next export against it with “audit verify”.',
      'Ask the operator for the privacy audit of the server you use, and what kind of set-up it runs on.',
    ],
  },
];
