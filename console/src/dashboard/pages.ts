import {
  BadgeCheck,
  ChartColumn,
  ClipboardCheck,
  Gauge,
  KeyRound,
  type LucideIcon,
  MonitorSmartphone,
  ScrollText,
  ShieldCheck,
  TabletSmartphone,
  UserPlus,
  Users,
} from 'lucide-react';
import type { ComponentType } from 'react';
import { lazyComponent } from '../ui/lazy-component';

export interface DashboardPage {
  readonly path: string;
  readonly name: string;
  readonly icon: LucideIcon;
  /** Whether the page belongs to an environment or to the account. */
  readonly of: 'environment' | 'account';
  readonly component: ComponentType;
  /** The page of one record, at the page's path followed by the record's ID. */
  readonly record?: ComponentType;
}

/** All pages in the order of the navigation. A page's code is loaded when the page is opened. */
export const PAGES: readonly DashboardPage[] = [
  {
    path: 'overview',
    name: 'Overview',
    icon: ChartColumn,
    of: 'environment',
    component: lazyComponent(() => import('./overview/overview').then(({ Overview }) => Overview)),
  },
  {
    path: 'registrations',
    name: 'Registrations',
    icon: UserPlus,
    of: 'environment',
    component: lazyComponent(() =>
      import('./registrations/registrations').then(({ Registrations }) => Registrations),
    ),
    record: lazyComponent(() =>
      import('./registrations/registration').then(({ Registration }) => Registration),
    ),
  },
  {
    path: 'pairing',
    name: 'Pairing',
    icon: MonitorSmartphone,
    of: 'environment',
    component: lazyComponent(() => import('./pairing/pairing').then(({ PairingDemo }) => PairingDemo)),
  },
  {
    path: 'users',
    name: 'People',
    icon: Users,
    of: 'environment',
    component: lazyComponent(() => import('./users/users').then(({ People }) => People)),
  },
  {
    path: 'devices',
    name: 'Devices',
    icon: TabletSmartphone,
    of: 'environment',
    component: lazyComponent(() => import('./devices/devices').then(({ Devices }) => Devices)),
  },
  {
    path: 'verifications',
    name: 'Verifications',
    icon: BadgeCheck,
    of: 'environment',
    component: lazyComponent(() =>
      import('./verifications/verifications').then(({ Verifications }) => Verifications),
    ),
  },
  {
    path: 'attendance',
    name: 'Attendance',
    icon: ClipboardCheck,
    of: 'environment',
    component: lazyComponent(() => import('./attendance/attendance').then(({ Attendance }) => Attendance)),
  },
  {
    path: 'audit',
    name: 'Audit log',
    icon: ScrollText,
    of: 'environment',
    component: lazyComponent(() => import('./audit/audit').then(({ Audit }) => Audit)),
  },
  {
    path: 'keys',
    name: 'API keys',
    icon: KeyRound,
    of: 'account',
    component: lazyComponent(() => import('./keys/keys').then(({ Keys }) => Keys)),
  },
  {
    path: 'usage',
    name: 'Usage and limits',
    icon: Gauge,
    of: 'account',
    component: lazyComponent(() => import('./usage/usage').then(({ Usage }) => Usage)),
  },
  {
    path: 'security',
    name: 'Security',
    icon: ShieldCheck,
    of: 'account',
    component: lazyComponent(() => import('./security/security').then(({ Security }) => Security)),
  },
];
