import type { QueryClient } from '@tanstack/react-query';
import {
  Activity as ActivityIcon,
  Anchor,
  AppWindow,
  BadgeCheck,
  Building2,
  CalendarCheck,
  ChartColumn,
  Clock,
  FileCheck,
  FileDown,
  Fingerprint,
  House,
  KeyRound,
  Link2,
  ListTree,
  LockKeyhole,
  type LucideIcon,
  MonitorSmartphone,
  Rocket,
  ScanLine,
  Settings,
  ShieldCheck,
  SlidersHorizontal,
  Smartphone,
  SquareTerminal,
  Users,
  UsersRound,
  Webhook,
} from 'lucide-react';
import { chooseLanguage } from '../ui/choose-language';
import { type LazyComponent, lazyComponent } from '../ui/lazy-component';
import { hasRole, type Need, type Role } from './nouns/members/roles';
import type { TimePage } from './nouns/sites/use-time-pages';
import type { Environment } from './operations/api';
import { type AccountPage, accountPage, type EnvironmentPage, pageIn, routeOf } from './paths';
import { LISTS } from './records/lists/lists';

interface Entry {
  readonly name: string;
  readonly icon: LucideIcon;
  readonly component: LazyComponent;
  /** What a member needs to see it. Default: `auditor`. */
  readonly least?: Need;
  /** Only for members with this role. */
  readonly only?: Role;
  /** Left out of the navigation where the service has no blockchain. */
  readonly needsBlockchain?: boolean;
  /** A page of working time, which not every role sees. */
  readonly time?: TimePage;
  /** Starts loading its data before it is rendered. */
  readonly prefetch?: (queries: QueryClient, environment: Environment) => void;
  /** One record, at the page's address followed by the record's ID: beside its list, or as a page of its own. */
  readonly record?: { readonly component: LazyComponent; readonly place: 'panel' | 'page' };
}

/** A page of an environment or of the account. */
export type DashboardPage = Entry &
  (
    | { readonly of: 'environment'; readonly path: EnvironmentPage }
    | { readonly of: 'account'; readonly path: AccountPage }
  );

export interface Room {
  readonly name: string;
  readonly icon: LucideIcon;
  /** The first is the one that the room opens with. */
  readonly pages: readonly [DashboardPage, ...DashboardPage[]];
}

export const addressOf = (page: DashboardPage, environment: Environment): string =>
  page.of === 'account' ? accountPage(page.path) : pageIn(environment, page.path);

/** The room *Time* is in the reader’s language, and so are its names. */
const said = (en: string, de: string, es: string): string =>
  ({ en, de, es })[chooseLanguage(globalThis.navigator?.languages ?? []).language];

/** The rooms, and the pages in each, in the order of the navigation. A page's code is loaded when the page is opened. */
const ROOMS: readonly Room[] = [
  {
    name: 'Home',
    icon: House,
    pages: [
      {
        path: 'overview',
        name: 'Home',
        icon: House,
        of: 'environment',
        component: lazyComponent(() => import('./home/home').then(({ Home }) => Home)),
      },
      {
        path: 'open',
        name: 'Open now',
        icon: House,
        of: 'environment',
        least: 'member',
        only: 'reception',
        component: lazyComponent(() => import('./home/open-now').then(({ OpenNow }) => OpenNow)),
      },
    ],
  },
  {
    name: 'People',
    icon: Users,
    pages: [
      {
        path: 'users',
        name: 'Everybody',
        icon: Users,
        of: 'environment',
        least: 'member',
        component: lazyComponent(() => import('./users/users').then(({ People }) => People)),
        prefetch: (queries, environment) => void queries.prefetchInfiniteQuery(LISTS.users({ environment })),
        record: {
          component: lazyComponent(() => import('./users/person').then((found) => found.Person)),
          place: 'panel',
        },
      },
      {
        path: 'registrations',
        name: 'Registrations',
        icon: ScanLine,
        of: 'environment',
        least: 'member',
        component: lazyComponent(() =>
          import('./registrations/list').then(({ Registrations }) => Registrations),
        ),
        record: {
          component: lazyComponent(() =>
            import('./registrations/registration').then((found) => found.Registration),
          ),
          place: 'page',
        },
      },
    ],
  },
  {
    name: 'Sign-in',
    icon: Fingerprint,
    pages: [
      {
        path: 'applications',
        name: 'Applications',
        icon: AppWindow,
        of: 'environment',
        component: lazyComponent(() => import('./clients/clients').then(({ Applications }) => Applications)),
        record: {
          component: lazyComponent(() => import('./clients/client').then((found) => found.ClientRecord)),
          place: 'page',
        },
      },
      {
        path: 'devices',
        name: 'Desks and devices',
        icon: Smartphone,
        of: 'environment',
        least: 'member',
        component: lazyComponent(() => import('./devices/devices').then(({ Devices }) => Devices)),
        prefetch: (queries, environment) =>
          void queries.prefetchInfiniteQuery(LISTS.devices({ environment })),
        record: {
          component: lazyComponent(() => import('./devices/device').then((found) => found.DeviceRecord)),
          place: 'panel',
        },
      },
      {
        path: 'security',
        name: 'Policy',
        icon: SlidersHorizontal,
        of: 'account',
        component: lazyComponent(() => import('./security/security').then(({ Security }) => Security)),
      },
    ],
  },
  {
    name: 'Activity',
    icon: ActivityIcon,
    pages: [
      {
        path: 'activity',
        name: 'Everything',
        icon: ActivityIcon,
        of: 'environment',
        component: lazyComponent(() => import('./activity/activity').then(({ Activity }) => Activity)),
      },
      {
        path: 'verifications',
        name: 'Verifications',
        icon: ShieldCheck,
        of: 'environment',
        component: lazyComponent(() =>
          import('./verifications/verifications').then(({ Verifications }) => Verifications),
        ),
        prefetch: (queries, environment) =>
          void queries.prefetchInfiniteQuery(LISTS.verifications({ environment })),
        record: {
          component: lazyComponent(() =>
            import('./verifications/verification').then((found) => found.VerificationRecord),
          ),
          place: 'panel',
        },
      },
      {
        path: 'pairing',
        name: 'Pairings',
        icon: MonitorSmartphone,
        of: 'environment',
        component: lazyComponent(() => import('./pairing/pairing').then(({ Pairing }) => Pairing)),
        record: {
          component: lazyComponent(() => import('./pairing/session').then((found) => found.PairingRecord)),
          place: 'panel',
        },
      },
      {
        path: 'attendance',
        name: 'Attendance',
        icon: CalendarCheck,
        of: 'environment',
        component: lazyComponent(() =>
          import('./attendance/attendance').then(({ Attendance }) => Attendance),
        ),
        prefetch: (queries, environment) =>
          void queries.prefetchInfiniteQuery(LISTS.attendance({ environment })),
        record: {
          component: lazyComponent(() =>
            import('./attendance/event').then((found) => found.AttendanceRecord),
          ),
          place: 'panel',
        },
      },
      {
        path: 'approvals',
        name: 'Approvals',
        icon: BadgeCheck,
        of: 'environment',
        component: lazyComponent(() => import('./approvals/approvals').then(({ Approvals }) => Approvals)),
        record: {
          component: lazyComponent(() =>
            import('./approvals/approval').then((found) => found.ApprovalRecord),
          ),
          place: 'page',
        },
      },
    ],
  },
  {
    name: said('Time', 'Arbeitszeit', 'Jornada'),
    icon: Clock,
    pages: [
      {
        path: 'here',
        name: said('Here now', 'Anwesend', 'Presentes'),
        icon: UsersRound,
        of: 'environment',
        least: 'member',
        time: 'here',
        component: lazyComponent(() => import('./time/here/here-now').then((found) => found.openHereNow())),
      },
      {
        path: 'month',
        name: said('Month', 'Monat', 'Mes'),
        icon: CalendarCheck,
        of: 'environment',
        least: 'member',
        time: 'hours',
        component: lazyComponent(() => import('./time/time').then((found) => found.openMonth())),
        record: {
          component: lazyComponent(() => import('./time/time').then((found) => found.openPersonMonth())),
          place: 'page',
        },
      },
      {
        path: 'corrections',
        name: said('Corrections', 'Korrekturen', 'Correcciones'),
        icon: FileCheck,
        of: 'environment',
        least: 'member',
        time: 'hours',
        component: lazyComponent(() => import('./time/time').then((found) => found.openCorrections())),
      },
      {
        path: 'sites',
        name: said('Sites', 'Standorte', 'Centros'),
        icon: Building2,
        of: 'environment',
        least: 'member',
        time: 'hours',
        component: lazyComponent(() => import('./time/sites/sites').then((found) => found.openSites())),
      },
    ],
  },
  {
    name: 'Developers',
    icon: SquareTerminal,
    pages: [
      {
        path: 'keys',
        name: 'API keys',
        icon: KeyRound,
        of: 'account',
        component: lazyComponent(() => import('./keys/keys').then(({ Keys }) => Keys)),
      },
      {
        path: 'requests',
        name: 'Requests',
        icon: ListTree,
        of: 'environment',
        component: lazyComponent(() => import('./requests/requests').then(({ Requests }) => Requests)),
      },
      {
        path: 'webhooks',
        name: 'Webhooks',
        icon: Webhook,
        of: 'environment',
        component: lazyComponent(() => import('./webhooks/webhooks').then(({ Webhooks }) => Webhooks)),
        record: {
          component: lazyComponent(() => import('./webhooks/webhook').then((found) => found.WebhookRecord)),
          place: 'page',
        },
      },
      {
        path: 'playground',
        name: 'Playground',
        icon: SquareTerminal,
        of: 'environment',
        component: lazyComponent(() =>
          import('./playground/playground').then(({ Playground }) => Playground),
        ),
      },
      {
        path: 'start',
        name: 'SDK and CLI',
        icon: Rocket,
        of: 'environment',
        component: lazyComponent(() => import('./developers/start').then(({ Start }) => Start)),
      },
    ],
  },
  {
    name: 'Trust',
    icon: ShieldCheck,
    pages: [
      {
        path: 'audit',
        name: 'Audit log',
        icon: Link2,
        of: 'environment',
        least: 'member',
        component: lazyComponent(() => import('./audit/audit').then(({ Audit }) => Audit)),
        record: {
          component: lazyComponent(() => import('./audit/entry').then((found) => found.AuditEntry)),
          place: 'panel',
        },
      },
      {
        path: 'check',
        name: 'Check everything',
        icon: ShieldCheck,
        of: 'environment',
        component: lazyComponent(() => import('./trust/check/check').then(({ Check }) => Check)),
      },
      {
        path: 'anchors',
        name: 'Anchors',
        icon: Anchor,
        of: 'environment',
        needsBlockchain: true,
        component: lazyComponent(() => import('./trust/anchors/anchors').then(({ Anchors }) => Anchors)),
      },
      {
        path: 'receipts',
        name: 'Receipts',
        icon: FileCheck,
        of: 'environment',
        component: lazyComponent(() => import('./trust/receipts').then(({ Receipts }) => Receipts)),
      },
      {
        path: 'exports',
        name: 'Exports',
        icon: FileDown,
        of: 'environment',
        component: lazyComponent(() => import('./trust/exports').then(({ Exports }) => Exports)),
      },
    ],
  },
  {
    name: 'Settings',
    icon: Settings,
    pages: [
      {
        path: 'profile',
        name: 'Company',
        icon: Building2,
        of: 'account',
        component: lazyComponent(() => import('./profile/profile').then(({ Profile }) => Profile)),
      },
      {
        path: 'team',
        name: 'Team',
        icon: UsersRound,
        of: 'account',
        component: lazyComponent(() => import('./team/team').then(({ Team }) => Team)),
      },
      {
        path: 'your-security',
        name: 'My log-in',
        icon: LockKeyhole,
        of: 'account',
        least: 'member',
        component: lazyComponent(() =>
          import('./your-security/your-security').then(({ YourSecurity }) => YourSecurity),
        ),
      },
      {
        path: 'usage',
        name: 'Plan and usage',
        icon: ChartColumn,
        of: 'account',
        component: lazyComponent(() => import('./usage/usage').then(({ Usage }) => Usage)),
      },
    ],
  },
];

export const PAGES: readonly DashboardPage[] = ROOMS.flatMap(({ pages }) => pages);

/** The pages that a member with this role sees, of a service with or without a blockchain. `timePages` are those of working time. */
export const isThere =
  (role: Role, hasBlockchain = false, timePages: readonly TimePage[] = []) =>
  ({ least = 'auditor', only = role, needsBlockchain = false, time }: DashboardPage): boolean =>
    role === only &&
    hasRole(role, least) &&
    (hasBlockchain || !needsBlockchain) &&
    (time === undefined || timePages.includes(time));

/** The rooms with something for a member with this role. */
export const roomsOf = (...viewer: Parameters<typeof isThere>): readonly Room[] =>
  ROOMS.flatMap((room) => {
    const [first, ...others] = room.pages.filter(isThere(...viewer));
    return first ? [{ ...room, pages: [first, ...others] as const }] : [];
  });

/** The room of a page, also of one that is left out of the navigation. */
export const roomNameOf = (page: DashboardPage | undefined): string | undefined =>
  ROOMS.find(({ pages }) => pages.some((it) => it === page))?.name;

/** The first page after logging in. */
export const firstPageOf = (role: Role): EnvironmentPage => (role === 'reception' ? 'open' : 'overview');

/** The page at an address, also while one of its records is open. */
export function pageAt(pathname: string): DashboardPage | undefined {
  const place = `${pathname.replace(/^\/(?:live|test)\//, '/')}/`;
  const found = PAGES.filter(({ path }) => place.startsWith(`/${routeOf(path)}/`));
  // The list of registrations is below that of people.
  return found.toSorted((left, right) => routeOf(right.path).length - routeOf(left.path).length)[0];
}
