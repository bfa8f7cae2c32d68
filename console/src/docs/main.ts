import '../ui/theme/theme.css';
import './docs.css';
import './article.css';
import './highlight.css';
import './languages.css';
import { addCopyButtons } from './copy';
import { rememberLanguage } from './languages';
import { followOutline } from './outline';
import { addSearch } from './search';

rememberLanguage();
addCopyButtons();
followOutline();
addSearch();
