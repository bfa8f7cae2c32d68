import '../../../../ui/theme/theme.css';
import { createRoot } from 'react-dom/client';
import { language, loadTexts, t } from '../../language/strings';
import { Kept } from './kept';
import { keptList } from './kept-lists';

/**
 * What the service worker shows in place of “Here now” when that can't be loaded: the list that this browser kept. It has the address of
 * that page, and needs neither the service nor a log-in.
 */
async function start(): Promise<void> {
  await loadTexts();
  document.documentElement.lang = language;
  document.title = t.here.title;
  const environment = location.pathname.startsWith('/dashboard/test/') ? 'test' : 'live';
  const siteId = new URLSearchParams(location.search).get('siteId');
  const list = keptList(environment, siteId, Date.now());
  createRoot(document.querySelector('#root') as HTMLElement).render(<Kept list={list} />);
}

if (typeof document !== 'undefined') void start();
