import '../ui/layout/theme.css';
import './docs.css';
import './article.css';
import { addCopyButtons } from './copy';
import { addSearch } from './search';

addCopyButtons();
addSearch();
