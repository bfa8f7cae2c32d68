import type { QueryClient } from '@tanstack/react-query';
import {
  AppWindow,
  BadgeCheck,
  Building2,
  CalendarCheck,
  ChartColumn,
  KeyRound,
  LayoutDashboard,
  Link2,
  ListTree,
  LockKeyhole,
  type LucideIcon,
  MonitorSmartphone,
  ScanLine,
  ShieldCheck,
  SlidersHorizontal,
  Smartphone,
  SquareTerminal,
  Users,
  UsersRound,
  Webhook,
} from 'lucide-react';
import { type LazyComponent, lazyComponent } from '../ui/lazy-component';
import type { Environment } from './api';
import { type AccountPage, accountPage, type EnvironmentPage, pageIn } from './paths';
import { LISTS } from './records/lists';

interface Entry {
  readonly name: string;
  readonly icon: LucideIcon;
  /** The heading above it in the navigation. */
  readonly group?: 'Build' | 'Trust' | 'Account';
  readonly component: LazyComponent;
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

export const addressOf = (page: DashboardPage, environment: Environment): string =>
  page.of === 'account' ? accountPage(page.path) : pageIn(environment, page.path);

/** All pages in the order of the navigation. A page's code is loaded when the page is opened. */
export const PAGES: readonly DashboardPage[] = [
  {
    path: 'overview',
    name: 'Overview',
    icon: LayoutDashboard,
    of: 'environment',
    component: lazyComponent(() => import('./overview/overview').then(({ Overview }) => Overview)),
  },
  {
    path: 'users',
    name: 'People',
    icon: Users,
    of: 'environment',
    component: lazyComponent(() => import('./users/users').then(({ People }) => People)),
    prefetch: (queries, environment) => void queries.prefetchInfiniteQuery(LISTS.users({ environment })),
    record: {
      component: lazyComponent(() => import('./users/person').then((found) => found.Person)),
      place: 'panel',
    },
  },
  {
    path: 'devices',
    name: 'Devices',
    icon: Smartphone,
    of: 'environment',
    component: lazyComponent(() => import('./devices/devices').then(({ Devices }) => Devices)),
    prefetch: (queries, environment) => void queries.prefetchInfiniteQuery(LISTS.devices({ environment })),
    record: {
      component: lazyComponent(() => import('./devices/device').then((found) => found.DeviceRecord)),
      place: 'panel',
    },
  },
  {
    path: 'registrations',
    name: 'Registrations',
    icon: ScanLine,
    of: 'environment',
    component: lazyComponent(() =>
      import('./registrations/registrations').then(({ Registrations }) => Registrations),
    ),
    record: {
      component: lazyComponent(() =>
        import('./registrations/registration').then((found) => found.Registration),
      ),
      place: 'page',
    },
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
    name: 'Pairing',
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
    component: lazyComponent(() => import('./attendance/attendance').then(({ Attendance }) => Attendance)),
    prefetch: (queries, environment) => void queries.prefetchInfiniteQuery(LISTS.attendance({ environment })),
    record: {
      component: lazyComponent(() => import('./attendance/event').then((found) => found.AttendanceRecord)),
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
      component: lazyComponent(() => import('./approvals/approval').then((found) => found.ApprovalRecord)),
      place: 'page',
    },
  },
  {
    path: 'keys',
    name: 'API keys',
    icon: KeyRound,
    of: 'account',
    group: 'Build',
    component: lazyComponent(() => import('./keys/keys').then(({ Keys }) => Keys)),
  },
  {
    path: 'webhooks',
    name: 'Webhooks',
    icon: Webhook,
    of: 'environment',
    group: 'Build',
    component: lazyComponent(() => import('./webhooks/webhooks').then(({ Webhooks }) => Webhooks)),
    record: {
      component: lazyComponent(() => import('./webhooks/webhook').then((found) => found.WebhookRecord)),
      place: 'page',
    },
  },
  {
    path: 'applications',
    name: 'Applications',
    icon: AppWindow,
    of: 'environment',
    group: 'Build',
    component: lazyComponent(() => import('./clients/clients').then(({ Applications }) => Applications)),
    record: {
      component: lazyComponent(() => import('./clients/client').then((found) => found.ClientRecord)),
      place: 'page',
    },
  },
  {
    path: 'requests',
    name: 'Requests',
    icon: ListTree,
    of: 'environment',
    group: 'Build',
    component: lazyComponent(() => import('./requests/requests').then(({ Requests }) => Requests)),
  },
  {
    path: 'playground',
    name: 'Try it',
    icon: SquareTerminal,
    of: 'environment',
    group: 'Build',
    component: lazyComponent(() => import('./playground/playground').then(({ Playground }) => Playground)),
  },
  {
    path: 'audit',
    name: 'Audit log',
    icon: Link2,
    of: 'environment',
    group: 'Trust',
    component: lazyComponent(() => import('./audit/audit').then(({ Audit }) => Audit)),
    record: {
      component: lazyComponent(() => import('./audit/entry').then((found) => found.AuditEntry)),
      place: 'panel',
    },
  },
  {
    path: 'security',
    name: 'Verification requirements',
    icon: SlidersHorizontal,
    of: 'account',
    group: 'Trust',
    component: lazyComponent(() => import('./security/security').then(({ Security }) => Security)),
  },
  {
    path: 'profile',
    name: 'Company profile',
    icon: Building2,
    of: 'account',
    group: 'Account',
    component: lazyComponent(() => import('./profile/profile').then(({ Profile }) => Profile)),
  },
  {
    path: 'team',
    name: 'Team',
    icon: UsersRound,
    of: 'account',
    group: 'Account',
    component: lazyComponent(() => import('./team/team').then(({ Team }) => Team)),
  },
  {
    path: 'usage',
    name: 'Usage and limits',
    icon: ChartColumn,
    of: 'account',
    group: 'Account',
    component: lazyComponent(() => import('./usage/usage').then(({ Usage }) => Usage)),
  },
  {
    path: 'your-security',
    name: 'Your security',
    icon: LockKeyhole,
    of: 'account',
    group: 'Account',
    component: lazyComponent(() =>
      import('./your-security/your-security').then(({ YourSecurity }) => YourSecurity),
    ),
  },
];
