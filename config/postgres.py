"""How the site talks to PostgreSQL, and what an operator may change about it in DATABASE_URL."""

OFF = ("0", "false", "no", "off")


def postgres_options(address_options: dict, patience: int) -> dict:
    """Return the options of a connection, from those of DATABASE_URL and the defaults.

    Values never stand inside a statement, because PostgreSQL logs statements that fail: an answer, its key and the
    moment would be in the log. Statements that come again and again are planned once for each connection
    (bench/submission.py). A pooler that gives each transaction another connection can't keep such plans: there the
    address ends with ?prepare_threshold=None, or in old installations with ?server_side_binding=0.

    patience: seconds to wait for a connection or a lock. Whoever meets a lock for longer is told to come again, instead
    of keeping a thread waiting. A pooler has to let `options` through for that.
    """
    options = {
        "connect_timeout": patience,
        "options": f"-c lock_timeout={patience}s",
        "prepare_threshold": 5,
        **address_options,
    }
    asks_for_no_plans = str(options["prepare_threshold"]).lower() == "none"
    asks_for_no_binding = str(options.get("server_side_binding", 1)).lower() in OFF
    if asks_for_no_plans or asks_for_no_binding:
        options["prepare_threshold"] = None
    options["server_side_binding"] = True
    return options
