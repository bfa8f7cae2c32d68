import { useQueryClient } from '@tanstack/react-query';
import { Menu as MenuIcon, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, NavLink, Outlet, useLocation, useNavigate } from 'react-router';
import { Failure } from '../../ui/failure';
import { Button } from '../../ui/forms/button';
import { useSending } from '../../ui/forms/use-sending';
import { Boundary } from '../../ui/layout/boundary';
import { Brand } from '../../ui/layout/brand';
import { type Environment, svc } from '../api';
import { PAGES } from '../pages';
import { notifyTabs, useAccount } from '../session';
import style from './shell.module.css';
import { useFocusFollows } from './use-focus-follows';

export function Shell() {
  const { pathname } = useLocation();
  const [open, setOpen] = useState(false);
  const environment = useShownEnvironment(pathname);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page closes the menu
  useEffect(() => setOpen(false), [pathname]);
  useFocusFollows(pathname, 'main');
  return (
    <div className={style.shell}>
      {/* A link would replace the history entry and lose a code stored there that can't be shown again. */}
      <button type="button" className={style.skip} onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <header className={style.top}>
        <Home />
        <Button look="quiet" aria-expanded={open} aria-controls="navigation" onClick={() => setOpen(!open)}>
          {open ? <X size={18} aria-hidden="true" /> : <MenuIcon size={18} aria-hidden="true" />}
          Menu
        </Button>
      </header>
      <div className={style.side} id="navigation" data-open={open}>
        <Home />
        <EnvironmentSwitch current={environment} pathname={pathname} />
        <nav className={style.nav} aria-label="Dashboard">
          <Links of="environment" base={`/${environment}`} />
          <div>
            <h2>Account</h2>
            <Links of="account" base="/account" />
          </div>
        </nav>
        <Account />
      </div>
      <main className={style.main} id="main" tabIndex={-1}>
        {environment === 'test' && !pathname.startsWith('/account') && (
          <div className={style.test}>Test environment: nothing here is real.</div>
        )}
        <Boundary page={pathname}>
          <Outlet context={environment} />
        </Boundary>
      </main>
    </div>
  );
}

const Home = () => (
  <Link to="/">
    <Brand />
  </Link>
);

const Links = ({ of, base }: { readonly of: 'environment' | 'account'; readonly base: string }) => (
  <ul>
    {PAGES.filter((page) => page.of === of).map(({ path, name, icon: Icon }) => (
      <li key={path}>
        <NavLink to={`${base}/${path}`}>
          <Icon size={18} aria-hidden="true" />
          {name}
        </NavLink>
      </li>
    ))}
  </ul>
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
      <strong>
        <bdi>{data?.tenant.companyName}</bdi>
      </strong>
      <bdi>{data?.tenant.email}</bdi>
      <Button small look="quiet" busy={logOut.isPending} onClick={() => logOut.mutate()}>
        Log out everywhere
      </Button>
      {logOut.error && <Failure error={logOut.error} />}
    </div>
  );
}
