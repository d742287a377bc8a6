# What could not work is refused before anything is made; tests/deploy holds the sentences.

mock_provider "google" {}

variables {
  project_id = "my-project-123"
}

run "a_machine_without_room_for_eight" {
  command = plan

  variables {
    learners         = 30
    learners_per_gpu = 8
    machine_type     = "g2-standard-8"
  }

  expect_failures = [var.machine_type]
}

run "two_gpus_double_the_learners_on_a_node" {
  command = plan

  variables {
    learners         = 30
    learners_per_gpu = 8
    machine_type     = "g2-standard-24"
  }

  expect_failures = [var.machine_type]
}

run "a_machine_without_l4s" {
  command = plan

  variables {
    machine_type = "n1-standard-8"
  }

  expect_failures = [var.machine_type]
}

run "more_shares_than_learners" {
  command = plan

  variables {
    learners         = 4
    learners_per_gpu = 8
    machine_type     = "g2-standard-16"
  }

  expect_failures = [var.learners_per_gpu]
}

run "too_little_gpu_memory_each" {
  command = plan

  variables {
    learners         = 300
    learners_per_gpu = 17
    machine_type     = "g2-standard-32"
  }

  expect_failures = [var.learners_per_gpu]
}

run "a_region_instead_of_a_zone" {
  command = plan

  variables {
    zone = "us-central1"
  }

  expect_failures = [var.zone]
}

run "spot_and_reservation" {
  command = plan

  variables {
    spot        = true
    reservation = "class-of-monday"
  }

  expect_failures = [var.spot]
}

run "more_nodes_than_the_network_has_addresses_for" {
  command = plan

  variables {
    learners         = 600
    learners_per_gpu = 2
    machine_type     = "g2-standard-8"
  }

  expect_failures = [var.machine_type]
}

run "nobody" {
  command = plan

  variables {
    learners = 0
  }

  expect_failures = [var.learners]
}

run "everybody_in_the_world" {
  command = plan

  variables {
    learner_members = ["allUsers"]
  }

  expect_failures = [var.learner_members]
}

run "a_project_name_with_capitals" {
  command = plan

  variables {
    project_id = "My Project"
  }

  expect_failures = [var.project_id]
}

run "a_name_that_is_too_long" {
  command = plan

  variables {
    name = "a-name-that-is-far-too-long"
  }

  expect_failures = [var.name]
}

run "an_unknown_channel" {
  command = plan

  variables {
    release_channel = "FAST"
  }

  expect_failures = [var.release_channel]
}

run "an_unknown_driver" {
  command = plan

  variables {
    driver_version = "535.1"
  }

  expect_failures = [var.driver_version]
}

run "two_weeks" {
  command = plan

  variables {
    max_node_hours = 336
  }

  expect_failures = [var.max_node_hours]
}
