import {
  Building2,
  CalendarCheck,
  ChartColumn,
  KeyRound,
  LayoutDashboard,
  Link2,
  ListTree,
  type LucideIcon,
  MonitorSmartphone,
  ScanLine,
  ShieldCheck,
  SlidersHorizontal,
  Smartphone,
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
  /** The heading above it in the navigation. */
  readonly group?: 'Build' | 'Trust' | 'Account';
  readonly component: ComponentType;
  /** The page of one record, at the page's path followed by the record's ID. */
  readonly record?: ComponentType;
}

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
  },
  {
    path: 'devices',
    name: 'Devices',
    icon: Smartphone,
    of: 'environment',
    component: lazyComponent(() => import('./devices/devices').then(({ Devices }) => Devices)),
  },
  {
    path: 'registrations',
    name: 'Registrations',
    icon: ScanLine,
    of: 'environment',
    component: lazyComponent(() =>
      import('./registrations/registrations').then(({ Registrations }) => Registrations),
    ),
    record: lazyComponent(() =>
      import('./registrations/registration').then(({ Registration }) => Registration),
    ),
  },
  {
    path: 'verifications',
    name: 'Verifications',
    icon: ShieldCheck,
    of: 'environment',
    component: lazyComponent(() =>
      import('./verifications/verifications').then(({ Verifications }) => Verifications),
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
    path: 'attendance',
    name: 'Attendance',
    icon: CalendarCheck,
    of: 'environment',
    component: lazyComponent(() => import('./attendance/attendance').then(({ Attendance }) => Attendance)),
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
    path: 'requests',
    name: 'Requests',
    icon: ListTree,
    of: 'environment',
    group: 'Build',
    component: lazyComponent(() => import('./requests/requests').then(({ Requests }) => Requests)),
  },
  {
    path: 'audit',
    name: 'Audit log',
    icon: Link2,
    of: 'environment',
    group: 'Trust',
    component: lazyComponent(() => import('./audit/audit').then(({ Audit }) => Audit)),
  },
  {
    path: 'security',
    name: 'Security',
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
    path: 'usage',
    name: 'Usage and limits',
    icon: ChartColumn,
    of: 'account',
    group: 'Account',
    component: lazyComponent(() => import('./usage/usage').then(({ Usage }) => Usage)),
  },
];
