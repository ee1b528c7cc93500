<?php
// A minimal broker in PHP: a token for who is signed in, and no money. php -S 127.0.0.1:8080 broker.php
declare(strict_types=1);

// Replace by your own session: here AGENT_TOKENS="secret1:agent001 secret2:agent002" says who a bearer token is.
function memberOf(): ?string
{
    if (!preg_match('/^Bearer (\S+)$/', $_SERVER['HTTP_AUTHORIZATION'] ?? '', $found)) return null;
    foreach (explode(' ', getenv('AGENT_TOKENS') ?: '') as $pair) {
        [$token, $memberNo] = explode(':', $pair . ':');
        if ($token !== '' && hash_equals($token, $found[1])) return $memberNo;
    }
    return null;
}

function issueToken(string $memberNo): string
{
    $context = stream_context_create(['http' => [
        'method' => 'POST',
        'header' => ['X-API-Key: ' . getenv('VENDOR_API_KEY'), 'Content-Type: application/json'],
        'content' => json_encode(['member_no' => $memberNo]),
        'timeout' => 5,
        'follow_location' => 0, // it would carry the key elsewhere
        'ignore_errors' => true,
    ]]);
    $body = @file_get_contents(getenv('VENDOR_BASE_URL') . '/api/sdk/tokenSdk', false, $context);
    $answer = json_decode($body ?: '', true);
    if (($answer['error'] ?? null) !== 0 || !is_string($answer['data'] ?? null)) throw new RuntimeException('no token');
    return $answer['data'];
}

function send(int $status, array $body): void
{
    http_response_code($status);
    header('Content-Type: application/' . ($status < 400 ? 'json' : 'problem+json'));
    header('Cache-Control: no-store');
    header('X-Content-Type-Options: nosniff');
    exit(json_encode($body));
}

function refuse(int $status, string $code): void
{
    send($status, ['title' => $code, 'status' => $status, 'code' => $code]);
}

['HTTP_HOST' => $host, 'REQUEST_METHOD' => $method] = $_SERVER;
$origin = $_SERVER['HTTP_ORIGIN'] ?? null;
if ($origin !== null && !in_array($origin, ["http://$host", "https://$host"], true)) refuse(403, 'origin-not-allowed');
if ($method !== 'POST') refuse(405, 'invalid-request');
if ((int) ($_SERVER['CONTENT_LENGTH'] ?? 0) > 4096) refuse(413, 'invalid-request');
$memberNo = memberOf() ?? refuse(401, 'broker-unauthorized');
try {
    send(200, ['token' => issueToken($memberNo), 'blockers' => []]);
} catch (RuntimeException) {
    refuse(503, 'vendor-unreachable');
}
