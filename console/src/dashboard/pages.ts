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
import { type ComponentType, lazy } from 'react';

export interface DashboardPage {
  readonly path: string;
  readonly name: string;
  readonly icon: LucideIcon;
  /** What it shows: something of one environment, or of the account. */
  readonly of: 'environment' | 'account';
  readonly component: ComponentType;
  /** One record of it, at the page's address with the record's id behind it. */
  readonly record?: ComponentType;
}

/** The table of contents: a page's address, its place in the navigation, and its code, loaded when it is opened. */
export const PAGES: readonly DashboardPage[] = [
  {
    path: 'overview',
    name: 'Overview',
    icon: ChartColumn,
    of: 'environment',
    component: lazy(() => import('./overview/overview').then(({ Overview }) => ({ default: Overview }))),
  },
  {
    path: 'registrations',
    name: 'Registrations',
    icon: UserPlus,
    of: 'environment',
    component: lazy(() =>
      import('./registrations/registrations').then(({ Registrations }) => ({ default: Registrations })),
    ),
    record: lazy(() =>
      import('./registrations/registration').then(({ Registration }) => ({ default: Registration })),
    ),
  },
  {
    path: 'pairing',
    name: 'Pairing',
    icon: MonitorSmartphone,
    of: 'environment',
    component: lazy(() => import('./pairing/pairing').then(({ PairingDemo }) => ({ default: PairingDemo }))),
  },
  {
    path: 'users',
    name: 'People',
    icon: Users,
    of: 'environment',
    component: lazy(() => import('./users/users').then(({ People }) => ({ default: People }))),
  },
  {
    path: 'devices',
    name: 'Devices',
    icon: TabletSmartphone,
    of: 'environment',
    component: lazy(() => import('./devices/devices').then(({ Devices }) => ({ default: Devices }))),
  },
  {
    path: 'verifications',
    name: 'Verifications',
    icon: BadgeCheck,
    of: 'environment',
    component: lazy(() =>
      import('./verifications/verifications').then(({ Verifications }) => ({ default: Verifications })),
    ),
  },
  {
    path: 'attendance',
    name: 'Attendance',
    icon: ClipboardCheck,
    of: 'environment',
    component: lazy(() =>
      import('./attendance/attendance').then(({ Attendance }) => ({ default: Attendance })),
    ),
  },
  {
    path: 'audit',
    name: 'Audit log',
    icon: ScrollText,
    of: 'environment',
    component: lazy(() => import('./audit/audit').then(({ Audit }) => ({ default: Audit }))),
  },
  {
    path: 'keys',
    name: 'API keys',
    icon: KeyRound,
    of: 'account',
    component: lazy(() => import('./keys/keys').then(({ Keys }) => ({ default: Keys }))),
  },
  {
    path: 'usage',
    name: 'Usage and limits',
    icon: Gauge,
    of: 'account',
    component: lazy(() => import('./usage/usage').then(({ Usage }) => ({ default: Usage }))),
  },
  {
    path: 'security',
    name: 'Security',
    icon: ShieldCheck,
    of: 'account',
    component: lazy(() => import('./security/security').then(({ Security }) => ({ default: Security }))),
  },
];
