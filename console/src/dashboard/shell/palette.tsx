import { Command } from 'cmdk';
import {
  BookOpen,
  FlaskConical,
  KeyRound,
  LogOut,
  type LucideIcon,
  Radio,
  ScanLine,
  Smartphone,
  UserPlus,
  UserRound,
} from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { Dialog } from '../../ui/dialogs/dialog';
import { Failure } from '../../ui/failure';
import { usePaused } from '../../ui/forms/use-paused';
import { shortId, Text } from '../../ui/lists/value';
import { useRole } from '../nouns/members/needs';
import { hasRole, type Need, type Role } from '../nouns/members/roles';
import { PersonName } from '../nouns/person/person-name';
import { type TimePage, useTimePages } from '../nouns/sites/use-time-pages';
import type { Environment } from '../operations/api';
import { type ItemOf, useOperation } from '../operations/operation';
import { useHasBlockchain } from '../operations/use-health';
import { addressOf, isThere, PAGES } from '../pages';
import { accountPage, pageIn, recordIn } from '../paths';
import { ADDING } from '../records/lists/adding';
import style from './palette.module.css';
import { useLogOut } from './use-log-out';

const REGISTER = Symbol('register a person');
const LOG_OUT = Symbol('log out');

interface Entry {
  readonly key: string;
  /** Empty for an erased person. */
  readonly name: string;
  /** What tells it from others of the same name. */
  readonly about?: string | null;
  readonly icon: LucideIcon;
  /** An address of the dashboard or of the docs, or what is no page. */
  readonly to: string | typeof REGISTER | typeof LOG_OUT;
  /** Other words that find it. */
  readonly also?: string;
  /** Whether it opens the page's form for a new record. */
  readonly adds?: boolean;
  /** Whether it is shown among the recent ones once it was opened. */
  readonly isRecord?: boolean;
  /** What an action needs. Default: every role. */
  readonly role?: Need;
}

/** Finds people, devices, pages and actions. The arrow keys choose, Enter opens. */
export function Palette({
  environment,
  onRegister,
  onClose,
}: {
  readonly environment: Environment;
  readonly onRegister: () => void;
  readonly onClose: () => void;
}) {
  const navigate = useNavigate();
  const role = useRole();
  const hasBlockchain = useHasBlockchain();
  const timePages = useTimePages(environment);
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState('');
  // After the dialog has focused its first element, which is the one that closes it.
  useEffect(() => input.current?.focus(), []);
  const logOut = useLogOut();
  const open = (entry: Entry) => {
    const { to } = entry;
    // It stays until the log-in takes its place, or to show why that failed.
    if (to === LOG_OUT) return logOut.mutate('browser');
    onClose();
    if (entry.isRecord) remember(environment, entry);
    if (to === REGISTER) onRegister();
    else if (to.startsWith('/docs')) location.assign(to);
    else void navigate(to, { state: entry.adds && ADDING });
  };
  // A search that comes back without a session would be an error.
  const isLeaving = logOut.isPending || logOut.isSuccess;
  const { records, isSearching } = useRecords(environment, isLeaving ? '' : typed);
  const groups = [
    ['Recent', typed === '' ? recentIn(environment) : []],
    ['People and devices', records],
    ['Actions', matching(actionsFor(role, environment), typed)],
    ['Pages', matching(pagesOf(environment, role, hasBlockchain, timePages), typed)],
    ['Documentation', matching(DOCS, typed)],
  ] as const;
  return (
    <Dialog title="Find" onClose={onClose}>
      {/* The service searches the records, so the list filters nothing by itself. */}
      <Command className={style.palette} label="Find a person, device or page" shouldFilter={false} loop>
        <Command.Input
          className={style.input}
          placeholder="Find a person, device or page"
          ref={input}
          maxLength={200}
          value={typed}
          onValueChange={setTyped}
        />
        {logOut.error && <Failure error={logOut.error} />}
        <Command.List className={style.list}>
          <Command.Empty className={style.empty}>
            {isSearching ? 'Searching …' : 'Nothing found. Try the first letters of a name, e-mail or ID.'}
          </Command.Empty>
          {groups.map(
            ([heading, entries]) =>
              entries.length > 0 && (
                <Command.Group key={heading} heading={heading}>
                  {entries.map((entry) => (
                    <Item key={entry.key} entry={entry} onOpen={() => open(entry)} />
                  ))}
                </Command.Group>
              ),
          )}
        </Command.List>
      </Command>
    </Dialog>
  );
}

function Item({ entry, onOpen }: { readonly entry: Entry; readonly onOpen: () => void }): ReactNode {
  const { key, name, about, icon: Icon } = entry;
  return (
    <Command.Item value={key} onSelect={onOpen}>
      <Icon size={16} aria-hidden="true" />
      <span className={style.name}>
        <PersonName of={name} />
      </span>
      {about && (
        <small>
          <Text of={about} />
        </small>
      )}
    </Command.Item>
  );
}

const pagesOf = (
  environment: Environment,
  role: Role,
  hasBlockchain: boolean | undefined,
  timePages: readonly TimePage[],
): readonly Entry[] =>
  PAGES.filter(isThere(role, hasBlockchain, timePages)).map((page) => ({
    key: `page ${page.path}`,
    name: page.name,
    icon: page.icon,
    to: addressOf(page, environment),
  }));

const actionsFor = (held: Role, environment: Environment): readonly Entry[] =>
  actionsOf(environment).filter(({ role = 'member' }) => hasRole(held, role));

const actionsOf = (environment: Environment): readonly Entry[] => [
  {
    key: 'register',
    name: 'Register a person',
    icon: ScanLine,
    to: REGISTER,
    also: 'new',
    role: 'reception',
  },
  {
    key: 'device',
    name: 'Add a device',
    icon: Smartphone,
    to: pageIn(environment, 'devices'),
    also: 'new',
    adds: true,
    role: 'developer',
  },
  {
    key: 'key',
    name: 'Create an API key',
    icon: KeyRound,
    to: accountPage('keys'),
    also: 'new',
    adds: true,
    role: 'developer',
  },
  { key: 'invite', name: 'Invite to the team', icon: UserPlus, to: accountPage('team'), role: 'owner' },
  { key: 'rotate', name: 'Rotate an API key', icon: KeyRound, to: accountPage('keys'), role: 'developer' },
  environment === 'live'
    ? { key: 'switch', name: 'Switch to test', icon: FlaskConical, to: pageIn('test', 'overview') }
    : { key: 'switch', name: 'Switch to live', icon: Radio, to: pageIn('live', 'overview') },
  { key: 'log out', name: 'Log out', icon: LogOut, to: LOG_OUT, also: 'sign' },
];

const DOCS: readonly Entry[] = [
  { key: 'docs', name: 'All guides', icon: BookOpen, to: '/docs/' },
  { key: 'docs quickstart', name: 'Quickstart', icon: BookOpen, to: '/docs/quickstart' },
  { key: 'docs errors', name: 'Errors', icon: BookOpen, to: '/docs/errors' },
  { key: 'docs openid', name: 'Sign in with OpenID Connect', icon: BookOpen, to: '/docs/openid-provider' },
  { key: 'docs lost', name: 'Lost phones', icon: BookOpen, to: '/docs/lost-phones' },
];

/** Those with words that begin with those that were typed. */
const matching = (entries: readonly Entry[], typed: string): readonly Entry[] => {
  const wanted = wordsOf(typed);
  return entries.filter(({ name, also = '' }) => {
    const words = wordsOf(`${name} ${also}`);
    return wanted.every((start) => words.some((word) => word.startsWith(start)));
  });
};

const wordsOf = (text: string): readonly string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

/** The records that were opened from here, the newest first. Only this tab has them, until it is reloaded. */
const recent: Record<Environment, readonly Entry[]> = { live: [], test: [] };
const MAX_RECENT = 5;

const recentIn = (environment: Environment): readonly Entry[] => recent[environment];

const remember = (environment: Environment, entry: Entry): void => {
  const others = recent[environment].filter(({ key }) => key !== entry.key);
  recent[environment] = [entry, ...others].slice(0, MAX_RECENT);
};

const LIMIT = 5;
const TYPING_MS = 150;

/** The people and devices whose name, e-mail or ID begins with what was typed, when the reader pauses. Typing on cancels the search. */
function useRecords(environment: Environment, typed: string) {
  const paused = usePaused(typed.trim(), TYPING_MS);
  const isTyping = typed.trim() !== paused;
  const q = isTyping ? '' : paused;
  const input = { query: { environment, q, limit: LIMIT } };
  const users = useOperation('listUsers', input, { enabled: q !== '' });
  const devices = useOperation('consoleListDevices', input, { enabled: q !== '' });
  const isThere = q !== '' && users.data !== undefined && devices.data !== undefined;
  return {
    records: isThere ? recordsOf(environment, users.data.users, devices.data.devices) : [],
    isSearching: isTyping || users.isFetching || devices.isFetching,
  };
}

const recordsOf = (
  environment: Environment,
  users: readonly ItemOf<'listUsers'>[],
  devices: readonly ItemOf<'consoleListDevices'>[],
) => [
  ...users.map(({ id, fullName, email, externalId, erasedAt }) => ({
    key: id,
    name: fullName,
    about: erasedAt === null ? (email ?? externalId) : shortId(id),
    icon: UserRound,
    isRecord: true,
    to: recordIn(environment, 'users', id),
  })),
  ...devices.map(({ id, name, locationId }) => ({
    key: id,
    name,
    about: locationId,
    icon: Smartphone,
    isRecord: true,
    to: recordIn(environment, 'devices', id),
  })),
];
