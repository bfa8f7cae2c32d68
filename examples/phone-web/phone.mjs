// A whole phone as a web page: it registers, signs desktops in, approves, and replaces its secret. docs/build-a-phone.md explains it.
import { parseDeeplink, readShortCode } from '@svc/sdk';
import {
  applyChanges,
  approvePairing,
  decide,
  declinePairing,
  findForCode,
  NOTHING_STORED,
  phoneService,
  readInbox,
  register,
  registrationsIn,
  rotate,
  startRegistration,
} from '@svc/sdk/phone';
import { createProver, phoneProver } from '@svc/sdk/prover';

// --- The vault: one record in IndexedDB, and a key that nobody can export. A native shell uses the phone's secure hardware instead.

/** Resolves when a request has its result, or a transaction is stored. */
const done = (target) =>
  new Promise((resolve, reject) => {
    for (const type of ['success', 'complete']) target.addEventListener(type, () => resolve(target.result));
    for (const type of ['error', 'abort']) target.addEventListener(type, () => reject(target.error));
  });
const made = await crypto.subtle.generateKey({ name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt']);
const opening = indexedDB.open('phone-web', 1);
opening.onupgradeneeded = () => opening.result.createObjectStore('phone').put(made, 'key');
const database = await done(opening);
const store = (mode) => database.transaction('phone', mode, { durability: 'strict' }).objectStore('phone');
const key = await done(store('readonly').get('key'));

const vault = {
  read: async () => (await done(store('readonly').get('stored'))) ?? NOTHING_STORED,
  // In one transaction, so that two tabs can't overwrite each other's records.
  async change(work) {
    const records = store('readwrite');
    const stored = (await done(records.get('stored'))) ?? NOTHING_STORED;
    records.put(applyChanges(stored, work(stored)), 'stored');
    await done(records.transaction);
  },
  alone: (name, work) => navigator.locks.request(name, work),
};

// --- The prover. Secrets are readable only here. A phone with a worker proves there, so that its page stays responsive.
async function seal({ did, commitment, biometricSecret, salt }) {
  const iv = crypto.getRandomValues(new Uint8Array(12));
  const text = new TextEncoder().encode(`${biometricSecret} ${salt}`);
  return { did, commitment, iv, sealed: await crypto.subtle.encrypt({ name: 'AES-GCM', iv }, key, text) };
}
async function open({ did, commitment, iv, sealed }) {
  const bytes = await crypto.subtle.decrypt({ name: 'AES-GCM', iv }, key, sealed);
  const [biometricSecret, salt] = new TextDecoder().decode(bytes).split(' ').map(BigInt);
  return { did, commitment, biometricSecret, salt };
}
const file = async (kind) => new Uint8Array(await (await fetch(`/identity_proof.${kind}`)).arrayBuffer());
const load = async () => createProver({ wasm: await file('wasm'), zkey: await file('zkey') });
const prover = phoneProver(load, { seal, open });

// The service's address is in its codes. This page's own server passes the requests on.
const baseUrl = await (await fetch('/service')).text();
const network = (url, request) => fetch(url.replace(baseUrl, location.origin), request);
const phone = { service: phoneService({ baseUrl, fetch: network }), vault, prover };

// --- The screen.
/** Shows a text, and what the person can choose. */
const show = (text, answers = {}) => {
  document.querySelector('#says').textContent = text;
  const buttons = Object.entries(answers).map(([label, act]) => {
    const button = document.createElement('button');
    button.textContent = label;
    button.onclick = () => attempt(act);
    return button;
  });
  document.querySelector('#choices').replaceChildren(...buttons);
};
const attempt = (act) => act().catch((error) => show(error.message));
const watch = { onStage: (stage) => show(`${stage} …`) };
/** The number that the person typed, if one is asked for. */
const typed = ({ match }) => (match === 'type' ? (prompt('Number on the screen') ?? '') : undefined);

async function scan(text) {
  if (text.startsWith('za:pair:') || readShortCode(text)) return scanPairing(text);
  const link = parseDeeplink(text, baseUrl);
  if (link.kind !== 'registration') throw new Error('This is not a code for this phone.');
  confirmRegistration(await startRegistration(phone, link, watch));
}

function confirmRegistration({ sessionId, companyName }) {
  show(`${companyName} wants to register this phone.`, {
    Register: async () => {
      const { reply } = await register(phone, sessionId, watch);
      show(`Registered ${reply.tenant_user.fullName}.`);
    },
  });
}

async function scanPairing(text) {
  const found = await findForCode(phone, text);
  const { context, scanTicket } = found.asked ?? (await phone.service.phone.pairing.context(found.code));
  show(`${context.company} asks you to sign in to ${context.origin ?? 'a desktop'}.`, {
    Approve: async () => {
      await approvePairing(phone, found, { scanTicket, matchCode: typed(context) }, watch);
      show('Signed in.');
    },
    'Not me': async () => {
      await declinePairing(phone, found, { reason: 'not_me', scanTicket });
      show('Declined.');
    },
  });
}

async function ownId() {
  const [identity] = (await vault.read()).identities;
  if (identity === undefined) throw new Error('This phone is not registered yet.');
  return identity.id;
}

async function showInbox() {
  const id = await ownId();
  const [statement] = (await readInbox(phone, id, watch)).statements;
  if (statement === undefined) return show('Nothing waits for you.');
  const send = async (choice) => {
    const { state } = await decide(phone, id, statement, choice, watch);
    show(`The approval is ${state}.`);
  };
  // All of the statement, exactly as it is: the proof is bound to it.
  show(JSON.stringify(statement, undefined, 1), {
    Approve: () => send({ decision: 'approve', matchCode: typed(statement) }),
    Decline: () => send({ decision: 'decline' }),
  });
}

async function renew() {
  await rotate(phone, await ownId(), watch);
  show('This phone has a new secret.');
}

document.querySelector('#scan').onsubmit = (event) => {
  event.preventDefault();
  void attempt(() => scan(new FormData(event.target).get('code').trim()));
};
document.querySelector('#inbox').onclick = () => attempt(showInbox);
document.querySelector('#rotate').onclick = () => attempt(renew);

// A registration that was interrupted goes on.
const [unfinished] = registrationsIn(await vault.read());
if (unfinished) confirmRegistration(unfinished);
else show('Scan a code.');
