import { useQueryClient } from '@tanstack/react-query';
import { BookOpen, FlaskConical, LogOut, Menu as MenuIcon, Search, X } from 'lucide-react';
import { Suspense, useEffect, useState } from 'react';
import { Link, NavLink, Outlet, useLocation, useNavigate } from 'react-router';
import { Failure } from '../../ui/failure';
import { Button, ButtonAnchor } from '../../ui/forms/button';
import { useSending } from '../../ui/forms/use-sending';
import { Boundary } from '../../ui/layout/boundary';
import { Brand } from '../../ui/layout/brand';
import { lazyComponent } from '../../ui/lazy-component';
import { type Environment, svc } from '../api';
import { type DashboardPage, PAGES } from '../pages';
import { notifyTabs, useAccount } from '../session';
import { pathTo } from './path';
import style from './shell.module.css';
import { useFocusFollows } from './use-focus-follows';

const Palette = lazyComponent(() => import('./palette').then((found) => found.Palette));

export function Shell() {
  const { pathname } = useLocation();
  const [open, setOpen] = useState(false);
  const [finding, setFinding] = useState(false);
  const environment = useShownEnvironment(pathname);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu
  useEffect(() => setOpen(false), [pathname]);
  useFocusFollows(pathname, 'main');
  useShortcut(() => setFinding(true));
  return (
    <div className={style.shell} data-environment={environment}>
      {/* A link would replace the history entry and lose a code stored there that can't be shown again. */}
      <button type="button" className={style.skip} onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <header className={style.top}>
        <Home />
        <button type="button" className={style.find} aria-haspopup="dialog" onClick={() => setFinding(true)}>
          <Search size={16} aria-hidden="true" />
          <span>Find a page or action</span>
          <kbd>{SHORTCUT}</kbd>
        </button>
        <EnvironmentSwitch current={environment} pathname={pathname} />
        <ButtonAnchor className={style.docs} href="/docs/">
          <BookOpen size={16} aria-hidden="true" />
          Docs
        </ButtonAnchor>
        <Button
          className={style.menu}
          look="quiet"
          aria-expanded={open}
          aria-controls="navigation"
          onClick={() => setOpen(!open)}
        >
          {open ? <X size={18} aria-hidden="true" /> : <MenuIcon size={18} aria-hidden="true" />}
          Menu
        </Button>
      </header>
      <div className={style.side} id="navigation" data-open={open}>
        <Home />
        <Navigation environment={environment} />
        <Account />
      </div>
      {environment === 'test' && (
        <div className={style.test}>
          <FlaskConical size={16} aria-hidden="true" />
          Test environment. Nothing here touches live data.
        </div>
      )}
      <main className={style.main} id="main" tabIndex={-1}>
        <Boundary page={pathname}>
          <Outlet context={environment} />
        </Boundary>
      </main>
      {finding && (
        <Suspense fallback={null}>
          <Palette environment={environment} onClose={() => setFinding(false)} />
        </Suspense>
      )}
    </div>
  );
}

const isMac = /Mac|iPhone|iPad/.test(navigator.platform);
const SHORTCUT = isMac ? '⌘K' : 'Ctrl K';

function useShortcut(onShortcut: () => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: it only sets a state
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      // A dialog that is open keeps the keyboard.
      if (
        event.key !== 'k' ||
        !(isMac ? event.metaKey : event.ctrlKey) ||
        document.querySelector('dialog[open]')
      )
        return;
      event.preventDefault();
      onShortcut();
    };
    addEventListener('keydown', listen);
    return () => removeEventListener('keydown', listen);
  }, []);
}

const Home = () => (
  <Link to="/">
    <Brand />
  </Link>
);

const GROUPS = [undefined, 'Build', 'Trust', 'Account'] as const;

const Navigation = ({ environment }: { readonly environment: Environment }) => (
  <nav className={style.nav} aria-label="Dashboard">
    {GROUPS.map((group) => (
      <div key={group ?? ''}>
        {group && <h2>{group}</h2>}
        <ul>
          {PAGES.filter((page) => page.group === group).map((page) => (
            <PageLink key={page.path} page={page} environment={environment} />
          ))}
        </ul>
      </div>
    ))}
  </nav>
);

const PageLink = ({
  page,
  environment,
}: {
  readonly page: DashboardPage;
  readonly environment: Environment;
}) => (
  <li>
    <NavLink to={pathTo(page, environment)}>
      <page.icon size={16} strokeWidth={1.75} aria-hidden="true" />
      {page.name}
    </NavLink>
  </li>
);

/** Links to the same page in the other environment. From an account page, it links to the overview. */
function EnvironmentSwitch({
  current,
  pathname,
}: {
  readonly current: Environment;
  readonly pathname: string;
}) {
  // From a record's page, link to the list, because a record belongs to one environment.
  const rest = /^\/(?:live|test)(\/[^/]+)/.exec(pathname)?.[1] ?? '/overview';
  return (
    <nav className={style.switch} aria-label="Environment">
      {(['live', 'test'] as const).map((environment) => (
        <Link key={environment} to={`/${environment}${rest}`} aria-current={environment === current}>
          {environment === 'live' ? 'Live' : 'Test'}
        </Link>
      ))}
    </nav>
  );
}

/** The environment in the address. An account page keeps the previous one. */
function useShownEnvironment(pathname: string): Environment {
  const named = /^\/(live|test)(\/|$)/.exec(pathname)?.[1] as Environment | undefined;
  const [last, setLast] = useState<Environment>(named ?? 'live');
  useEffect(() => {
    if (named !== undefined) setLast(named);
  }, [named]);
  return named ?? last;
}

/** `Acme Access` is AA. */
const initialsOf = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...word][0]?.toUpperCase() ?? '')
    .join('');

function Account() {
  const { data } = useAccount();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const logOut = useSending({
    mutationFn: () => svc.console.logOut(),
    onSuccess: async () => {
      notifyTabs(undefined);
      await navigate('/login');
      queries.clear();
    },
  });
  return (
    <div className={style.account}>
      <div>
        <span className={style.avatar} aria-hidden="true">
          {initialsOf(data?.tenant.companyName ?? '')}
        </span>
        <span className={style.who}>
          <strong title={data?.tenant.companyName}>
            <bdi>{data?.tenant.companyName}</bdi>
          </strong>
          <bdi>{data?.tenant.email}</bdi>
        </span>
        <Button
          small
          look="quiet"
          aria-label="Log out everywhere"
          title="Log out everywhere"
          busy={logOut.isPending}
          onClick={() => logOut.mutate()}
        >
          {!logOut.isPending && <LogOut size={16} aria-hidden="true" />}
        </Button>
      </div>
      {logOut.error && <Failure error={logOut.error} />}
    </div>
  );
}
