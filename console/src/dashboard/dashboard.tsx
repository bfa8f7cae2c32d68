import { Suspense } from 'react';
import { Navigate, Outlet, type RouteObject, useLocation, useParams, useRoutes } from 'react-router';
import { ButtonLink } from '../ui/forms/button-link';
import { Page } from '../ui/layout/surface';
import type { LazyComponent } from '../ui/lazy-component';
import { useRole } from './nouns/members/needs';
import { EnvironmentProvider } from './operations/environment';
import { type DashboardPage, firstPageOf, PAGES } from './pages';
import { addressSince, pageIn, routeOf } from './paths';
import { LoggedIn } from './session';
import { Shell } from './shell/shell';
import style from './shell/shell.module.css';
import { StepUp } from './step-up/step-up';

/**
 * A page or a record, or grey rows until its code is loaded. Each record is mounted for itself, so that no dialog or chosen tab of the
 * one before stays.
 */
function Shown({
  of: Component,
  isRecord = false,
}: {
  readonly of: LazyComponent;
  readonly isRecord?: boolean;
}) {
  const { id } = useParams();
  return (
    <Suspense fallback={<div className="skeleton-page" />}>
      <Component key={isRecord ? id : undefined} />
    </Suspense>
  );
}

function routesTo({ path: page, component, record }: DashboardPage): RouteObject[] {
  const path = routeOf(page);
  const panel =
    record?.place === 'panel' ? [{ path: ':id', element: <Shown of={record.component} isRecord /> }] : [];
  const own =
    record?.place === 'page'
      ? [{ path: `${path}/:id`, element: <Shown of={record.component} isRecord /> }]
      : [];
  return [{ path, element: <Shown of={component} />, children: panel }, ...own];
}

const pagesOf = (of: DashboardPage['of']) => PAGES.filter((page) => page.of === of).flatMap(routesTo);

/** All routes of the dashboard: `/live/…` and `/test/…` for data of an environment, the others for the account. */
const ROUTES: RouteObject[] = [
  {
    path: '/',
    element: (
      <LoggedIn>
        <Shell />
        <div className={style.sizes}>
          <StepUp />
        </div>
      </LoggedIn>
    ),
    children: [
      { index: true, element: <First /> },
      ...pagesOf('account'),
      {
        path: ':environment',
        element: <InEnvironment />,
        children: [...pagesOf('environment'), { path: '*', element: <Moved /> }],
      },
      { path: '*', element: <Moved /> },
    ],
  },
];

/** The page at the address. */
export const Dashboard = () => useRoutes(ROUTES);

function First() {
  return <Navigate to={pageIn('live', firstPageOf(useRole()))} replace />;
}

function InEnvironment() {
  const { environment } = useParams();
  if (environment !== 'live' && environment !== 'test') return <Moved />;
  // The key resets the page's state when the environment changes.
  return (
    <EnvironmentProvider key={environment} value={environment}>
      <Outlet />
    </EnvironmentProvider>
  );
}

/** Opens the page that had this address before, with the same query and fragment. */
function Moved() {
  const { pathname, search, hash } = useLocation();
  const to = addressSince(pathname);
  return to === undefined ? <NotFound /> : <Navigate to={to + search + hash} replace />;
}

function NotFound() {
  return (
    <Page title="Page not found">
      <p>Check the address. It may be mistyped or belong to an older version of the dashboard.</p>
      <div>
        <ButtonLink to="/">Go to Home</ButtonLink>
      </div>
    </Page>
  );
}
