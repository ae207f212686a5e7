<?php

// Calls the API of a Pressbell service: create, send and follow web-push campaigns. PHP 8.1 and later, with curl. One
// file, to be copied. docs/client.md in Pressbell's repository describes it. License: MIT.

declare(strict_types=1);

namespace Pressbell;

/** A refusal: the service, or a proxy before it, answered with an error. */
class PressbellError extends \RuntimeException
{
    /**
     * @param string $errorCode a code of docs/errors.md; `unexpected_answer`: no answer of the API, as that of a proxy
     * @param int $status the HTTP status
     * @param ?string $requestId the id under which the service has logged the request
     * @param list<array{path: string, message: string}> $faults all wrong fields, each by JSON pointer
     * @param array<string, mixed> $details further members of the answer, such as `scope`, `from` or `allowed`
     * @param ?float $retryAfterSeconds how long the service asks to wait before the next request
     */
    final public function __construct(
        string $message,
        public readonly string $errorCode,
        public readonly int $status,
        public readonly ?string $requestId,
        public readonly array $faults,
        public readonly array $details,
        public readonly ?float $retryAfterSeconds,
    ) {
        parent::__construct($message);
    }
}

/** Fields are wrong: `faults` lists them (400). */
final class ValidationError extends PressbellError
{
}

/** The API key is missing, expired or unknown (401). */
final class AuthenticationError extends PressbellError
{
}

/** The API key may not do this, such as `scope_missing` and `tenant_mismatch` (403). */
final class ForbiddenError extends PressbellError
{
}

/** The state of the campaign, run or site does not allow this, such as `illegal_transition` (409). */
final class ConflictError extends PressbellError
{
}

/** No answer came. The request may have been taken, or not. */
final class ConnectionError extends \RuntimeException
{
}

/** The run has not ended within the time that `waitForRun` was given. It continues. */
final class WaitTimeout extends \RuntimeException
{
}

/**
 * A client of the API. Calls return the answer as an array. They throw PressbellError for a refusal, ConnectionError if
 * no answer came, and InvalidArgumentException, before any request, for what cannot be sent.
 */
final class Client
{
    private const MAX_RETRY_SECONDS = 10.0;
    /** Answers of a proxy or the service that say nothing of whether the request was taken. */
    private const PASSING = [502, 503, 504];
    private readonly string $url;

    /**
     * @param string $url where the service is reached, such as `https://push.example.org`
     * @param string $apiKey the secret of an API key, `pbk_…`
     * @param string $tenantId the key's tenant
     * @param int $retries how often a call is repeated where that is safe
     * @param float $timeoutSeconds for one attempt
     * @param float $firstRetrySeconds the wait before the first repetition; it doubles with each, to ten seconds
     * @param float $maxRetryAfterSeconds a call whose service asks for a longer wait fails immediately
     */
    public function __construct(
        string $url,
        #[\SensitiveParameter] private readonly string $apiKey,
        private readonly string $tenantId,
        private readonly int $retries = 4,
        private readonly float $timeoutSeconds = 30.0,
        private readonly float $firstRetrySeconds = 0.25,
        private readonly float $maxRetryAfterSeconds = 60.0,
    ) {
        if (!preg_match('~^https?://[^/?#]+[^?#]*$~D', $url)) {
            throw new \InvalidArgumentException('`url` must be the http(s) address of the service');
        }
        // Without its value: errors are logged.
        if (!preg_match('/^[!-~]+$/D', $apiKey)) {
            throw new \InvalidArgumentException('`apiKey` must be the secret of an API key, pbk_…');
        }
        if ($tenantId === '') {
            throw new \InvalidArgumentException("`tenantId` must be the id of the key's tenant");
        }
        // curl takes 0 for no limit.
        if ($timeoutSeconds < 0.001) {
            throw new \InvalidArgumentException('`timeoutSeconds` must be at least 0.001');
        }
        $this->url = rtrim($url, '/');
    }

    /** Checks a story without creating anything: `url`, `siteId` for the audience, and texts and readers as in a campaign. */
    public function previewStory(array $story): array
    {
        $body = ['tenantId' => $this->tenantId] + $story;
        return $this->request('POST', '/v1/content/preview', $body, repeatable: true);
    }

    /**
     * Creates a draft. A story that is rejected gives a campaign that is `cancelled`, with the decision.
     *
     * @param ?string $idempotencyKey calls with the same key have one effect, even after a crash. Without one the
     *     client makes a key for each call, which covers the repetitions of that call only.
     */
    public function createCampaign(array $fields, ?string $idempotencyKey = null): array
    {
        return $this->request('POST', $this->ofTenant('campaigns'), $fields, self::readKey($idempotencyKey));
    }

    /** Sends a campaign live, now. */
    public function sendCampaign(string $campaignId, ?string $idempotencyKey = null): array
    {
        $path = self::campaign($campaignId, '/send');
        return $this->request('POST', $path, idempotencyKey: self::readKey($idempotencyKey));
    }

    /**
     * Creates a campaign and sends it, unless its story is rejected. Returns the campaign, with the `runId` of its run:
     * null if nothing is sent. A second call with the same key sends nothing.
     */
    public function createAndSend(array $fields, ?string $idempotencyKey = null): array
    {
        $key = self::readKey($idempotencyKey);
        $campaign = $this->createCampaign($fields, $key);
        if ($campaign['status'] !== 'draft') {
            return $campaign;
        }
        return $this->sendCampaign($campaign['campaignId'], $key) + $campaign;
    }

    public function readCampaign(string $campaignId): array
    {
        return $this->request('GET', self::campaign($campaignId));
    }

    /** Yields all campaigns, newest first. `$filter`: `status`, `siteId`, `externalId`; `limit`: the size of a page. */
    public function listCampaigns(array $filter = []): \Generator
    {
        return $this->listAll($this->listCampaignsPage(...), $filter);
    }

    /** One page of them, with `nextCursor`, which the next page takes as `cursor`. */
    public function listCampaignsPage(array $filter = []): array
    {
        return $this->request('GET', $this->ofTenant('campaigns', $filter));
    }

    /** Changes a draft. Not repeated after a lost answer: another's change may have come between. */
    public function changeCampaign(string $campaignId, array $fields): array
    {
        return $this->request('PATCH', self::campaign($campaignId), $fields);
    }

    /** Sends it to the site's test devices. Not repeated after a lost answer: they would be notified twice. */
    public function testCampaign(string $campaignId): array
    {
        return $this->request('POST', self::campaign($campaignId, '/test'));
    }

    /**
     * Schedules it. Not repeated after a lost answer: another's change may have come between.
     *
     * @param \DateTimeInterface|string|array{date: string, time: string} $at a moment, as a text with its offset, or a
     *     time of a day where each reader is
     */
    public function scheduleCampaign(string $campaignId, \DateTimeInterface|string|array $at): array
    {
        if ($at instanceof \DateTimeInterface) {
            $utc = \DateTimeImmutable::createFromInterface($at)->setTimezone(new \DateTimeZone('UTC'));
            $at = $utc->format('Y-m-d\TH:i:s.v\Z');
        }
        $body = is_array($at) ? ['localTime' => $at] : ['scheduleAt' => $at];
        return $this->request('POST', self::campaign($campaignId, '/schedule'), $body);
    }

    /** Cancels it for good. Not repeated after a lost answer, because a second one is refused. */
    public function cancelCampaign(string $campaignId): array
    {
        return $this->request('POST', self::campaign($campaignId, '/cancel'));
    }

    /**
     * Changes its notification on the screen: `title`, `body`, `imageUrl`. Not repeated after a lost answer: after
     * another's update it would bring the old text back.
     */
    public function updateCampaign(string $campaignId, array $fields): array
    {
        return $this->request('POST', self::campaign($campaignId, '/updates'), $fields);
    }

    /** The last updates of its notification, newest first. */
    public function listUpdates(string $campaignId): array
    {
        return $this->request('GET', self::campaign($campaignId, '/updates'))['updates'];
    }

    /** Creates a campaign at each of several sites, all or none: `sites`, and the fields of a campaign. */
    public function createGroup(array $fields, ?string $idempotencyKey = null): array
    {
        return $this->request('POST', $this->ofTenant('campaign-groups'), $fields, self::readKey($idempotencyKey));
    }

    /** The campaigns of a group with the figures of their runs, and the sums. */
    public function readGroup(string $groupId): array
    {
        return $this->request('GET', self::group($groupId));
    }

    /** Sends each campaign of a group live, now. Says for each site what became of it. */
    public function sendGroup(string $groupId, ?string $idempotencyKey = null): array
    {
        return $this->request('POST', self::group($groupId, '/send'), idempotencyKey: self::readKey($idempotencyKey));
    }

    /** Stops each run of a group that goes on. Stopping twice gives the same answer. */
    public function stopGroup(string $groupId): array
    {
        return $this->request('POST', self::group($groupId, '/stop'), repeatable: true);
    }

    public function readRun(string $runId): array
    {
        return $this->request('GET', '/v1/runs/' . rawurlencode($runId));
    }

    /** Stops a live run. Stopping twice gives the same answer, so it is repeated after a lost one. */
    public function stopRun(string $runId): array
    {
        return $this->request('POST', '/v1/runs/' . rawurlencode($runId) . '/stop', repeatable: true);
    }

    /**
     * Reads a run until it has ended, and returns it: after 0.25 s, then less and less often, to every 5 s. Throws
     * WaitTimeout if it has not ended by then: a paused site holds its runs. `$onProgress` is called with each reading.
     */
    public function waitForRun(string $runId, float $timeoutSeconds = 600.0, ?callable $onProgress = null): array
    {
        $end = microtime(true) + $timeoutSeconds;
        for ($poll = 0.25; ; $poll = min(5.0, $poll * 1.5)) {
            $run = $this->readRun($runId);
            if ($onProgress !== null) {
                $onProgress($run);
            }
            if ($run['finishedAt'] !== null) {
                return $run;
            }
            if (microtime(true) + $poll > $end) {
                throw new WaitTimeout("The run $runId has not ended within $timeoutSeconds s.");
            }
            self::pause($poll);
        }
    }

    /** Yields all runs with their figures, newest first. `$filter`: `siteId`, `since`, `limit`. */
    public function listRuns(array $filter = []): \Generator
    {
        return $this->listAll($this->listRunsPage(...), $filter);
    }

    /** One page of them. */
    public function listRunsPage(array $filter = []): array
    {
        return $this->request('GET', $this->ofTenant('runs', $filter));
    }

    /** Yields all sites with their topics, oldest first. */
    public function listSites(array $filter = []): \Generator
    {
        return $this->listAll($this->listSitesPage(...), $filter);
    }

    /** One page of them. */
    public function listSitesPage(array $filter = []): array
    {
        return $this->request('GET', $this->ofTenant('sites', $filter));
    }

    /** What var_dump and print_r show: not the key. */
    public function __debugInfo(): array
    {
        return ['url' => $this->url, 'tenantId' => $this->tenantId];
    }

    /** Refuses: the text would have the key. */
    public function __serialize(): array
    {
        throw new \LogicException('A client has a secret, and is not serialized');
    }

    private static function group(string $groupId, string $verb = ''): string
    {
        return '/v1/campaign-groups/' . rawurlencode($groupId) . $verb;
    }

    private static function campaign(string $campaignId, string $verb = ''): string
    {
        return '/v1/campaigns/' . rawurlencode($campaignId) . $verb;
    }

    private function ofTenant(string $noun, array $query = []): string
    {
        $search = http_build_query($query, '', '&', PHP_QUERY_RFC3986);
        return '/v1/tenants/' . rawurlencode($this->tenantId) . "/$noun" . ($search === '' ? '' : "?$search");
    }

    private static function readKey(?string $given): string
    {
        if ($given !== null && !preg_match('/^[!-~]{1,255}$/D', $given)) {
            throw new \InvalidArgumentException('`idempotencyKey` must be 1 to 255 visible ASCII characters');
        }
        return $given ?? bin2hex(random_bytes(16));
    }

    /** Yields the entries of all pages. A page is read when its first entry is asked for. */
    private function listAll(callable $readPage, array $filter): \Generator
    {
        do {
            $page = $readPage($filter);
            foreach ($page['data'] as $entry) {
                yield $entry;
            }
            $filter['cursor'] = $page['nextCursor'];
        } while ($page['nextCursor'] !== null);
    }

    /**
     * Calls the API, with repetitions where they are safe.
     *
     * @param bool $repeatable whether a second request has no further effect, as of a read, or with an idempotency key
     */
    private function request(
        string $method,
        string $path,
        ?array $body = null,
        ?string $idempotencyKey = null,
        bool $repeatable = false,
    ): array {
        // An empty list is an object without fields. What JSON cannot hold is no matter of repetitions.
        $text = $body === null ? null : self::toJson($body === [] ? new \stdClass() : $body);
        $repeatable = $repeatable || $method === 'GET' || $idempotencyKey !== null;
        for ($attempt = 0; ; $attempt++) {
            try {
                return $this->exchange($method, $path, $text, $idempotencyKey);
            } catch (PressbellError | ConnectionError $error) {
                $wait = $attempt < $this->retries ? $this->waitBefore($attempt, $repeatable, $error) : null;
                if ($wait === null) {
                    throw $error;
                }
                self::pause($wait);
            }
        }
    }

    /**
     * Returns the wait before a repetition, null if the call must not be repeated. A request that was limited (429) was
     * not taken, so every call is repeated then. After other failures it may have been taken.
     */
    private function waitBefore(int $attempt, bool $repeatable, PressbellError|ConnectionError $error): ?float
    {
        $answer = $error instanceof PressbellError ? $error : null;
        $isPassing = $answer === null || in_array($answer->status, self::PASSING, true);
        if ($answer?->status !== 429 && !($repeatable && $isPassing)) {
            return null;
        }
        if ($answer?->retryAfterSeconds !== null) {
            return $answer->retryAfterSeconds > $this->maxRetryAfterSeconds ? null : $answer->retryAfterSeconds;
        }
        // At random: clients that failed together do not come back together.
        $wait = min(self::MAX_RETRY_SECONDS, $this->firstRetrySeconds * 2 ** $attempt);
        return $wait * (0.5 + random_int(0, 1000) / 2000);
    }

    private function exchange(string $method, string $path, ?string $text, ?string $idempotencyKey): array
    {
        $headers = [];
        // A new connection for each request: curl repeats a request by itself if a kept one has broken.
        $handle = curl_init($this->url . $path);
        curl_setopt_array($handle, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_HTTPHEADER => $this->headersOf($text, $idempotencyKey),
            CURLOPT_RETURNTRANSFER => true,
            // A redirect is an error: the key would be sent to another address.
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_TIMEOUT_MS => (int) ceil($this->timeoutSeconds * 1000),
            CURLOPT_CONNECTTIMEOUT_MS => (int) ceil($this->timeoutSeconds * 1000),
            CURLOPT_NOSIGNAL => true,
            CURLOPT_HEADERFUNCTION => static function ($handle, string $line) use (&$headers): int {
                // A proxy's answer to CONNECT comes before the answer.
                $headers = str_starts_with($line, 'HTTP/') ? [] : $headers;
                [$name, $value] = explode(':', $line, 2) + [1 => ''];
                $headers[strtolower($name)] = trim($value);
                return strlen($line);
            },
        ] + ($method === 'GET' ? [] : [CURLOPT_POSTFIELDS => $text ?? '']));
        $answer = curl_exec($handle);
        if ($answer === false) {
            $what = curl_errno($handle) === CURLE_OPERATION_TIMEDOUT
                ? "did not answer within {$this->timeoutSeconds} s"
                : 'could not be reached, or broke off (' . curl_error($handle) . ')';
            throw new ConnectionError("$method $path: the service $what.");
        }
        $status = curl_getinfo($handle, CURLINFO_RESPONSE_CODE);
        $body = json_decode($answer, true);
        if ($status >= 200 && $status < 300 && is_array($body)) {
            return $body;
        }
        throw self::errorOf($status, $headers, is_array($body) && $status >= 300 ? $body : []);
    }

    /** @return list<string> */
    private function headersOf(?string $text, ?string $idempotencyKey): array
    {
        return [
            "Authorization: Bearer {$this->apiKey}",
            'Accept: application/json',
            // Empty: curl sends none of its own.
            'Content-Type:' . ($text === null ? '' : ' application/json'),
            'Expect:',
            ...($idempotencyKey === null ? [] : ["Idempotency-Key: $idempotencyKey"]),
        ];
    }

    /** @param array<string, string> $headers by their names in lower case */
    private static function errorOf(int $status, array $headers, array $body): PressbellError
    {
        // A proxy may answer in JSON of another shape.
        $isOurs = is_string($body['message'] ?? null) && is_string($body['code'] ?? '')
            && is_string($body['requestId'] ?? '') && is_array($body['errors'] ?? []);
        $body = $isOurs ? $body : [];
        $details = array_diff_key($body, array_flip(['code', 'message', 'requestId', 'errors']));
        $code = $body['code'] ?? ($status === 401 && $body !== [] ? 'unauthenticated' : 'unexpected_answer');
        $class = $code === 'unexpected_answer' ? PressbellError::class : match ($status) {
            400 => ValidationError::class,
            401 => AuthenticationError::class,
            403 => ForbiddenError::class,
            409 => ConflictError::class,
            default => PressbellError::class,
        };
        $nobody = "The answer was no answer of Pressbell's API (status $status). Check the service's address.";
        return new $class(
            $body['message'] ?? $nobody,
            $code,
            $status,
            $body['requestId'] ?? $headers['x-request-id'] ?? null,
            $body['errors'] ?? [],
            $details,
            self::readRetryAfter($headers['retry-after'] ?? ''),
        );
    }

    /** Reads a Retry-After (RFC 9110, 10.2.3), seconds or a date, in seconds from now. */
    private static function readRetryAfter(string $value): ?float
    {
        if (preg_match('/^\d+$/D', $value)) {
            return (float) $value;
        }
        $at = \DateTimeImmutable::createFromFormat('D, d M Y H:i:s \G\M\T', $value, new \DateTimeZone('UTC'));
        return $at === false ? null : max(0.0, $at->getTimestamp() - microtime(true));
    }

    private static function toJson(array|\stdClass $body): string
    {
        try {
            return json_encode($body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE);
        } catch (\JsonException $error) {
            throw new \InvalidArgumentException('The fields cannot be written as JSON: ' . $error->getMessage());
        }
    }

    private static function pause(float $seconds): void
    {
        usleep((int) ceil($seconds * 1_000_000));
    }
}
