import { defineMessages } from "../messages.ts";

/** The kinds of pages that are not a story, as parts of a sentence. */
export const kindTexts = {
  home_page: "a home page",
  section_page: "a section page",
  tag_page: "a tag page",
  author_page: "an author's page",
  profile_page: "a profile",
  search_page: "a page of search results",
  list_page: "a list of stories",
  about_page: "a page about the site",
  jobs_page: "a page of jobs",
  forum_page: "a discussion of a forum",
  help_page: "a page of help or documentation",
  work_page: "a page of music, a book, a place or an application",
  error_page: "an error page",
  sign_in_page: "a sign-in page",
  robot_check: "a consent or robot check",
  website_page: "a page of the site and not a story, as it says (og:type is website, without a date)",
} as const;

const pageTexts = {
  page_unreachable: "The page could not be reached at a public https address. Check the address and its redirects.",
  page_certificate: "The page's certificate is not valid. Renew it, then try again.",
  page_timeout: "The page took too long to answer. Try again when the site is faster.",
  page_too_large: "The page is larger than 2 MiB. Send the address of a lighter version.",
  page_redirects: "The page redirects more than three times. Use the address where the redirects end.",
  page_answer_unreadable: "The site's answer could not be read. Try again, or check how the site serves the page.",
  page_status: "The page answers with HTTP status {status} instead of 200. Publish it, or check the address.",
  page_not_html: "This is not an HTML page. Use the address of the story's page.",
  page_untitled_but_yours: "The page has no title; yours is used.",
  page_untitled: "The page has no title. Add one to the page, or write one here.",
  page_noindex: "The page asks not to be listed (noindex), as drafts and tests do. Remove noindex to send the story.",
  page_no_news_index:
    "The page asks not to be listed in Google News, as copies of an agency's text do. Check that it is a story of yours.",
  page_no_story: "This is {what}. Use the address of one story.",
  page_hides_story: "This is {what}. Let Pressbell read the story as readers do, or use another address.",
  page_without_story: "This is {what}. Publish the story, or check the address.",
  page_of_site: "This is {what}. Use the address of one story, or give the page a date of publication.",
  page_paid:
    "Somebody paid for this page: {evidence}. Readers did not subscribe to advertising: send a story of the newsroom.",
  paid_type: "its type is AdvertiserContentArticle",
  paid_section: "its section is {section}",
  paid_mark: "it is marked as sponsored",
  paid_folder: "its address lies in /{folder}/",
  page_is_article: "The page says that it is an article.",
  page_is_product: "The page says that it is a product. Use the address of a story about it.",
  page_is_amp: "This is an AMP version. Better send the story itself: {address}.",
  page_address_differs: "The page gives {address} as its address. Check that this is the story you mean.",
  links_paid: "Links on the page are marked as paid (rel=sponsored). Do not send it if the whole story is paid for.",
} as const;

const storyTexts = {
  story_too_old: "The story is from {day}, older than {hours} hours. Send a newer one.",
  story_recent: "The story is less than six hours old.",
  story_changed: "The story was changed at {day} {time} ({zone}). Say in the title what is new.",
  story_paywalled:
    "The story is behind a paywall: without a subscription only its beginning is shown. Say so in the text.",
  live_over: "The live coverage has ended. Check that the story is still news.",
  live_blog: "The page is a live blog: readers find what is new there.",
  date_unreadable: "The page shows dates, but none that can be read as its date of publication.",
  date_missing: "The page does not say when it was published.",
  undated_check: "{found} Check that the story is new.",
  undated_skipped:
    "{found} The site skips such stories: add article:published_time to the page, or change the site's settings.",
  date_to_come: "The page gives {day} as its date, which is to come. Check that the story is out.",
  date_and_time_to_come:
    "The page gives {day} {time} ({zone}) as its date, which is to come. Check that the story is out.",
  title_cut: "The title is over {most} characters and will be cut. Write a shorter one for this message.",
  title_long: "Many phones show only the beginning of the title: “{shown}”. Put what matters first.",
  title_short: "The title is very short. Say what has happened.",
  description_missing: "The page has no description, so the message has no text below its title. Write a body.",
  description_cut: "The description is over {most} characters and will be cut. Write a shorter body for this message.",
  picture_missing: "The page names no picture of the story. Add og:image to the page, or choose a picture.",
} as const;

const siteTexts = {
  story_sent_before:
    "This story was sent to this site at {day} {time} ({zone}). Correct that message, or wait: readers do not want a story twice in {days} days.",
  audience_empty:
    "No reader would receive this: the site has no subscribers, or none with these topics and in this segment. Choose others.",
  topics_empty: "No reader has subscribed to {names}. Leave it out, or choose another topic.",
  names_and_more: "{names} and {n} more",
  site_daily_limit: "The site has sent {n} times within 24 hours, and its limit is {limit}. Wait, or raise the limit.",
  site_min_gap:
    "The last send was {minutes} minutes ago, and the site waits {gap} between two. Send in {left} minutes.",
  site_quiet: "It is {time} in {zone}, and the site is quiet from {from} to {until}. Schedule it for {until}.",
  clicks_expected:
    "Like earlier notifications: {low} to {high} click, about {left} in 10,000 leave. Usual here is {usual}, by {n} notifications.",
  clicks_expected_like:
    "Like earlier notifications {like}: {low} to {high} click, about {left} in 10,000 leave. Usual here is {usual}, by {n} notifications.",
  like_both: "{one}, {other}",
  visits_not_won:
    "Measured with readers left out: such notifications win no visits ({low} to {high} a day of 1,000 readers).",
  visits_won: "Measured with readers left out: such notifications win {low} to {high} visits a day of 1,000 readers.",
} as const;

/** What a site's earlier notifications have in common with a story, as parts of a sentence. */
const likeTexts = {
  like_night: "at night",
  like_morning: "in the morning",
  like_day: "by day",
  like_evening: "in the evening",
  like_late: "late in the evening",
  like_monday: "on Mondays",
  like_tuesday: "on Tuesdays",
  like_wednesday: "on Wednesdays",
  like_thursday: "on Thursdays",
  like_friday: "on Fridays",
  like_saturday: "on Saturdays",
  like_sunday: "on Sundays",
  like_weekend: "on weekends",
  like_title_short: "with a short title",
  like_title_medium: "with a title of medium length",
  like_title_long: "with a long title",
  like_question: "with a question",
  like_number: "with a number",
  like_picture: "with a picture",
  like_everybody: "to all readers",
  like_topics: "to these topics",
  like_after_short: "soon after another",
  like_after_some: "hours after another",
  like_after_long: "long after another",
  like_section: "from “{section}”",
  like_word: "about “{word}”",
} as const;

/** The English texts of the decision, by code. The dashboard has them in other languages. */
export const decisionTexts = { ...kindTexts, ...pageTexts, ...storyTexts, ...siteTexts, ...likeTexts };

export const decisionMessages = defineMessages(decisionTexts);
