
# What goes with an answer: the logit of the truth, fitted to the scrambled reports by base R alone.
# model("KEY", 1, ~ OTHER): the answer with the code 1 to the question KEY, by columns of the file.

# Reports to one answer as 1 and 0; NA where there is none.
said <- function(question, choice) {
  cells <- responses[question$columns]
  if (ncol(cells) > 1) return(as.integer(cells[[choice + 1]]))
  column <- cells[[1]]
  if (question$marks) as.integer(substr(column, choice + 1, choice + 1)) else as.integer(as.integer(column) == choice)
}

# The share of reports is slope * share + base, and the logit of the share is linear.
truth_link <- function(slope, base) {
  structure(list(
    linkfun = function(mu) qlogis(pmin(pmax((mu - base) / slope, 1e-6), 1 - 1e-6)),
    linkinv = function(eta) base + slope * plogis(eta),
    mu.eta = function(eta) slope * plogis(eta) * plogis(-eta),
    valideta = function(eta) TRUE,
    name = "logit of the truth"
  ), class = "link-glm")
}

model <- function(key, choice, explained_by) {
  question <- Filter(function(each) each$key == key, questions)[[1]]
  slope <- question$c[choice + 1]
  base <- question$d[choice + 1]
  people <- responses
  for (each in questions) {
    if (is.null(each$matrix) && each$constrain == "none" && !each$number) {
      people[[each$key]] <- factor(each$choices[as.integer(people[[each$key]]) + 1], levels = each$choices)
    } else if (each$number) {
      given <- each$choices[as.integer(people[[each$key]]) + 1]
      # Per 10 more. Words instead of a number are NA: who preferred not to say is left out.
      people[[each$key]] <- as.numeric(ifelse(grepl("^-?[0-9]+$", given), given, NA)) / 10
    }
  }
  people$said <- said(question, choice)
  people <- people[complete.cases(people[c("said", all.vars(explained_by))]), ]
  for (each in names(Filter(is.factor, people))) { # the largest group is what the others are compared with
    people[[each]] <- relevel(droplevels(people[[each]]), names(which.max(table(people[[each]]))))
  }
  design <- model.matrix(explained_by, people)
  share <- min(max((mean(people$said) - base) / slope, 0.01), 0.99)
  fit <- glm(update(explained_by, said ~ .), family = binomial(truth_link(slope, base)), data = people,
             start = c(qlogis(share), rep(0, ncol(design) - 1)), control = glm.control(epsilon = 1e-12, maxit = 100))
  # Standard errors from the observed information; those of glm are from the expected one.
  p <- plogis(as.vector(design %*% coef(fit)))
  reported <- base + slope * p
  s <- p * (1 - p)
  r <- slope * (people$said / reported - (1 - people$said) / (1 - reported))
  information <- crossprod(design, ((r * s)^2 - r * s * (1 - 2 * p)) * design)
  errors <- sqrt(diag(solve(information)))
  list(n = nrow(people), log_likelihood = as.numeric(logLik(fit)),
       terms = data.frame(coefficient = coef(fit), standard_error = errors, odds_ratio = exp(coef(fit))))
}
